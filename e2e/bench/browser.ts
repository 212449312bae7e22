// What the parts that need a browser share.
import { existsSync } from 'node:fs';

export const PASSWORD = 'correct horse battery staple';
/** How Chromium is started for measuring. */
export const CHROMIUM = {
  executablePath:
    process.env.POSTERN_CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync) ?? '',
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-3d-apis'],
};

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
export const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;

/** A signed-in person's cookies for a browser context. Chromium keeps `__Host-` cookies only for an address that reads https. */
export const cookiesOf = (url: string, cookie: string) =>
  cookie.split('; ').map(pair => ({
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    url: url.replace('http:', 'https:'),
    secure: true,
    httpOnly: true,
  }));
