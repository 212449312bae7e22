// What everything needs that opens a browser on a gateway: journeys, pictures, measurements.
import { existsSync } from 'node:fs';

/** Of the people that a rig makes; long enough for every rule. */
export const PASSWORD = 'correct horse battery staple';
/** The browser that is used, '' where there is none. The first is Chromium without its windows: a third quicker. */
export const browserPath =
  process.env.POSTERN_CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    existsSync,
  ) ??
  '';
/** How Chromium is started outside of journeys, whose settings stand in playwright.config.ts. */
export const CHROMIUM = {
  executablePath: browserPath,
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-3d-apis'],
};

/** A signed-in person's cookies for a browser context. Chromium keeps `__Host-` cookies only for an address that reads https. */
export const cookiesOf = (url: string, cookie: string) =>
  cookie.split('; ').map(pair => ({
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    url: url.replace('http:', 'https:'),
    secure: true,
    httpOnly: true,
  }));
