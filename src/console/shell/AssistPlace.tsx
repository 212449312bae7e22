import { useSnapshot } from 'valtio';
import { flag } from '../../features/access.ts';
import type { Viewer } from '../../features/feature.ts';
import { type Page, PageContext } from '../screens/page.tsx';
import { createLazy } from '../ui/lazy.tsx';
import { assistShown, showAssist } from './assist.ts';

const { Component: AssistHost } = createLazy(async () => (await import('../screens/assist/Host.tsx')).default, null);

/** Where the assistant stands beside or over pages, for whoever may use it. */
export function AssistPlace({
  page,
  viewer,
  covered,
  onExplained,
}: {
  readonly page: Page | null;
  readonly viewer: Viewer;
  /** A terminal has the keys. */
  readonly covered: boolean;
  readonly onExplained: () => void;
}) {
  const assist = useSnapshot(assistShown);
  if (page === null || !flag('assist', viewer) || (assist.shown === 'closed' && assist.explain === null)) return null;
  return (
    <PageContext value={page}>
      <AssistHost
        {...assist}
        covered={covered}
        onShow={showAssist}
        onExplained={() => {
          assistShown.explain = null;
          onExplained();
        }}
      />
    </PageContext>
  );
}
