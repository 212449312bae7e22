/** What a text says as JSON; undefined where it is none, which every schema of an object refuses. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
