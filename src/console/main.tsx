// The console's entry: builds what there is once, and draws it.
import './styles/tokens.css';
import './styles/base.css';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { App } from './shell/App.tsx';
import { createBoot } from './shell/boot.ts';
import { openExits } from './shell/exits.ts';
import { FatalError } from './shell/pages.tsx';
import { hearPreloadErrors } from './shell/preload-error.ts';
import { prepare } from './shell/prepare.ts';
import { hearMissingStyles } from './ui/missing-styles.ts';
import { SPINNER_DELAYS_MS, Spinner } from './ui/Spinner.tsx';

/** The name of this script changes with every file of the console. */
const entry = new URL(import.meta.url).pathname;
const isOutdated = () =>
  fetch('/web/login', { cache: 'no-store' })
    .then(async answer => answer.ok && !(await answer.text()).includes(entry))
    .catch(() => false);
addEventListener(
  'vite:preloadError',
  hearPreloadErrors(sessionStorage, Date.now, isOutdated, () => location.reload()),
);
hearMissingStyles(window);

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no #root');
/** A root in place of what is there. */
const clear = (): Root => {
  element.replaceChildren();
  return createRoot(element);
};
try {
  const boot = createBoot();
  // Before the router listens: it would have left the page already.
  openExits();
  // The gateway sends the sign-in form drawn, to whoever it knows nothing of: it is taken over as it stands, with what was typed into it.
  const isDrawn = element.hasChildNodes() && !boot.session.isValid();
  const root = isDrawn ? undefined : clear();
  const spinner = setTimeout(() => root?.render(<Spinner delay="none" />), SPINNER_DELAYS_MS.short);
  void prepare(location.pathname, boot).then(() => {
    clearTimeout(spinner);
    const app = <App boot={boot} />;
    if (root === undefined) hydrateRoot(element, app);
    // With its effects, and so with the rows that are here already, in one frame.
    else flushSync(() => root.render(app));
  });
} catch (error) {
  clear().render(
    <FatalError
      error={error instanceof Error ? error : new Error('something went wrong')}
      onLogin={() => location.assign('/web/login')}
    />,
  );
}
