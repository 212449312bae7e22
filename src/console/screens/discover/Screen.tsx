import { lazy, type ReactNode, Suspense } from 'react';
import { type Enrollment, enrollments, isEnrollment, notEnrolled } from '../../../features/enrollment.ts';
import { features } from '../../../features/table.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { ServerGuide } from './ServerGuide.tsx';
import { Tiles } from './Tiles.tsx';

const ApplicationGuide = lazy(async () => ({ default: (await import('./ApplicationGuide.tsx')).ApplicationGuide }));
const DesktopGuide = lazy(async () => ({ default: (await import('./DesktopGuide.tsx')).DesktopGuide }));
const ClusterGuide = lazy(async () => ({ default: (await import('./ClusterGuide.tsx')).ClusterGuide }));
const DirectoryGuide = lazy(async () => ({ default: (await import('./DirectoryGuide.tsx')).DirectoryGuide }));
const DatabaseGuide = lazy(async () => ({ default: (await import('./DatabaseGuide.tsx')).DatabaseGuide }));

type Guided = Extract<Enrollment['by'], { readonly guide: string }>;
function guideOf(by: Guided, onAnother: () => void): ReactNode {
  switch (by.guide) {
    case 'server':
      return <ServerGuide prepare={by.prepare} isAws={by.isAws} onAnother={onAnother} />;
    case 'database':
      return <DatabaseGuide protocol={by.protocol} aws={by.aws} onAnother={onAnother} />;
    case 'application':
      return <ApplicationGuide onAnother={onAnother} />;
    case 'desktop':
      return <DesktopGuide protocol={by.protocol} onAnother={onAnother} />;
    case 'directory':
      return <DirectoryGuide onAnother={onAnother} />;
    case 'cluster':
      return <ClusterGuide onAnother={onAnother} />;
  }
}

/** What can be enrolled, as tiles; the address names the one that is gone through step by step: `?tile=debian`. */
export default function Discover() {
  const { query, who, config, go } = usePage();
  const { tile = '' } = query;
  const isOpen = isEnrollment(tile) && notEnrolled(tile, { who, config }) === undefined;
  const { title, by } = isOpen ? enrollments[tile] : { title: '', by: null };
  if (by === null || !('guide' in by))
    return (
      <ListPage title={features.discover.title}>
        <Tiles />
      </ListPage>
    );
  return (
    <ListPage title={title}>
      <Suspense key={tile} fallback={<Spinner />}>
        {guideOf(by, () => go('discover'))}
      </Suspense>
    </ListPage>
  );
}
