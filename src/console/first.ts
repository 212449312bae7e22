// A small script of its own that runs before anything is drawn: the page comes in its theme, the first questions are on their way
// while the console is loaded, and a form that is sent before it can be waits. Stands in the page itself (`inlineFirst` in vite.config.ts).
import { askEarly, earlyPaths } from './shell/early.ts';
import { type FirstWindow, SENT } from './shell/first-window.ts';
import { beginPageKeys } from './shell/page-keys.ts';
import { storedTheme } from './shell/stored-theme.ts';
import { showTheme } from './shell/theme.ts';

const page: FirstWindow & typeof globalThis = window;
showTheme(document.documentElement, storedTheme(localStorage), page.POSTERN_CONFIG?.customTheme ?? '');

// The gateway says who is signed in by giving the page their token; the console takes it from the same place.
const meta = document.querySelector<HTMLMetaElement>('meta[name=postern_bearer_token]');
if (meta !== null && location.pathname !== '/web/login') {
  const { token } = JSON.parse(atob(meta.content)) as { readonly token: string };
  const paths = earlyPaths(location.pathname, location.search);
  page.posternKeys = beginPageKeys(page);
  page.posternEarly = askEarly(paths, token, (url, init) => fetch(url, init), performance.now());
}

document.addEventListener('submit', event => {
  const form = event.target;
  // Whoever draws the form hears of it and takes the mark away.
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== 'post') return;
  event.preventDefault();
  form.setAttribute(SENT, '');
});

/** Starts the console's own script where the page came drawn. */
function start(): void {
  const late = document.querySelector<HTMLLinkElement>('link[data-late]');
  if (late === null) return;
  const entry = document.createElement('script');
  entry.type = 'module';
  entry.crossOrigin = '';
  entry.src = late.href;
  document.head.append(entry);
}
// Behind the first frame, in which the form is seen; a tab that nobody looks at draws its first when someone does.
requestAnimationFrame(() => setTimeout(start));
