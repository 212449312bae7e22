// The console's entry: builds what there is once, and draws it.
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './shell/App.tsx';
import { createBoot } from './shell/boot.ts';
import { openExits } from './shell/exits.ts';
import { FatalError } from './shell/pages.tsx';
import { bringPage } from './shell/parts.ts';
import { hearPreloadErrors } from './shell/preload-error.ts';
import { Spinner } from './ui/Spinner.tsx';

addEventListener(
  'vite:preloadError',
  hearPreloadErrors(sessionStorage, Date.now, () => location.reload()),
);

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no #root');
const root = createRoot(element);
try {
  const boot = createBoot();
  // Before the router listens: it would have left the page already.
  openExits();
  root.render(<Spinner />);
  // Everything the first page is drawn with, at once; then nothing on it has to wait for a file of its own.
  void bringPage(location.pathname, boot.session.isValid()).then(() => root.render(<App boot={boot} />));
} catch (error) {
  root.render(
    <FatalError
      error={error instanceof Error ? error : new Error('something went wrong')}
      onLogin={() => location.assign('/web/login')}
    />,
  );
}
