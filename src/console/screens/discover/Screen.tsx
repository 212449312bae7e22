import { enrollments, isEnrollment, notEnrolled } from '../../../features/enrollment.ts';
import { features } from '../../../features/table.ts';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { ServerGuide } from './ServerGuide.tsx';
import { Tiles } from './Tiles.tsx';

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
      <ServerGuide key={tile} prepare={by.prepare} onAnother={() => go('discover')} />
    </ListPage>
  );
}
