// Headers of every answer, and the stricter ones of pages (OWASP ASVS 5.0, chapter 3.4).
// Not @fastify/helmet 13: its hook does not run where the server itself refuses a URL, it asks for TLS on localhost too, and knows no Permissions-Policy.

/** A year, as browsers' preload lists ask. */
const HSTS_SECONDS = 31_536_000;

const everywhere = {
  'x-content-type-options': 'nosniff',
  // For browsers of before frame-ancestors, which every policy below sets to none.
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'strict-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'clipboard-read=(self), clipboard-write=(self), camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** What an answer that is not a page may load: nothing. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What the engine of RDP desktops needs beside: to be compiled, and to be read out of the script that it comes in. */
const engine = { script: "'wasm-unsafe-eval'", connect: 'data:' } as const;

/**
 * Content security policy of the console's page. The nonce is for the style elements that the terminal makes; the scripts that stand
 * in the page are named by their hashes (`'sha256-…'`), so that no other script put into it runs. `mayShowDesktop`: it may run the engine that draws one.
 */
export const pagePolicy = (styleNonce: string, scripts: readonly string[], mayShowDesktop: boolean): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...(mayShowDesktop ? [engine.script] : []), ...scripts].join(' '),
    `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    mayShowDesktop ? `connect-src 'self' ${engine.connect}` : "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Names that every machine has: remembering TLS for them would break whatever else is served there without. */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/;

/** Headers for every answer, by how it was asked for. */
export function commonHeaders({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): Readonly<Record<string, string>> {
  return {
    ...everywhere,
    'content-security-policy': NOTHING,
    ...(protocol === 'https' && !LOOPBACK.test(hostname)
      ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` }
      : {}),
  };
}
