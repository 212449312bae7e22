/** Name of the <meta> in which the gateway hands the page its style nonce. */
const NONCE_META = 'postern_style_nonce';

/** The nonce that <style> elements made by libraries need under the page's content policy, or '' where no policy asks for one. */
export function styleNonce(page: Document): string {
  return page.querySelector<HTMLMetaElement>(`meta[name="${NONCE_META}"]`)?.content ?? '';
}
