import { lazy, type ReactNode, Suspense } from 'react';
import { type Enrollment, enrollments, isEnrollment, notEnrolled } from '../../../features/enrollment.ts';
import { features } from '../../../features/table.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { ServerGuide } from './ServerGuide.tsx';
import { Tiles } from './Tiles.tsx';

const ClusterGuide = lazy(async () => ({ default: (await import('./ClusterGuide.tsx')).ClusterGuide }));
const DirectoryGuide = lazy(async () => ({ default: (await import('./DirectoryGuide.tsx')).DirectoryGuide }));
const DatabaseGuide = lazy(async () => ({ default: (await import('./DatabaseGuide.tsx')).DatabaseGuide }));

type Guided = Extract<Enrollment['by'], { readonly guide: string }>;
function guideOf(by: Guided, onAnother: () => void): ReactNode {
  if (by.guide === 'server') return <ServerGuide prepare={by.prepare} onAnother={onAnother} />;
  if (by.guide === 'database') return <DatabaseGuide protocol={by.protocol} onAnother={onAnother} />;
  if (by.guide === 'directory') return <DirectoryGuide onAnother={onAnother} />;
  return <ClusterGuide onAnother={onAnother} />;
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
