/** An answer of the gateway that is a file; one that was read ahead has no `body`. */
export type FileAnswer = Pick<Response, 'blob'> & Partial<Pick<Response, 'body'>>;

/** Hands a file to the person: the browser downloads it under this name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the address after the click: it may go once this turn is over.
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** Has the browser download what an address of the gateway answers, as it comes, under this name. */
export function followDownload(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** What a browser has that lets a page write to a file of its person's choice: Chromium's, over HTTPS and on this machine. */
type Picker = (about: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * A file that the person chooses, to be written while it is fetched, however large it is; null where the browser keeps that to itself. Call
 * it while a key or a click is being handled. Rejects with AbortError when they choose none.
 */
export async function chosenFile(name: string): Promise<FileSystemWritableFileStream | null> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: Picker };
  if (!showSaveFilePicker) return null;
  const file = await showSaveFilePicker.call(window, { suggestedName: name });
  return file.createWritable();
}
/** Resolves once an answer is in the file; where it is cut, the file stays as it was. */
export async function written(answer: FileAnswer, file: FileSystemWritableFileStream): Promise<void> {
  await (answer.body ?? (await answer.blob()).stream()).pipeTo(file);
}
