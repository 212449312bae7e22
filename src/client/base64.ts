/** Passwords travel as base64 of UTF-8 (specification section 5). */
export function base64OfText(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
