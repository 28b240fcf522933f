// Downloads of files that are made in the browser.

export function saveBlob(blob: Blob, fileName: string) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
