/** Hands a file to the person: the browser downloads it under this name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the address after the click: it may go once this turn is over.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
