import { useRef } from 'react';
import {
  type EnrolledKind,
  type Enrollment,
  type EnrollmentId,
  enrollments,
  foundEnrollments,
  notEnrolled,
} from '../../../features/enrollment.ts';
import { manualAddress } from '../../manual/ManualLink.tsx';
import { useGate } from '../../palette/gate.ts';
import { NamedIcon } from '../../ui/NamedIcon.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { NoneFound } from '../ListPage.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { stepThrough } from '../tile-keys.ts';
import tiles from '../tiles.module.css';
import styles from './discover.module.css';

const kinds: readonly EnrolledKind[] = ['server', 'application', 'database', 'cluster', 'desktop'];

/** A card for each thing that can be enrolled; arrows go from card to card. `?kind=database` puts those first, `?search=` narrows. */
export function Tiles() {
  const { query, setQuery } = usePage();
  const { search = '', kind } = query;
  const grid = useRef<HTMLUListElement>(null);
  const found = foundEnrollments(
    search,
    kinds.find(one => one === kind),
  );
  return (
    <>
      <p className={styles.lead}>
        Servers join by one line, pasted into a shell of theirs; databases by such a line or by their address. What is
        enrolled is tried at once.
      </p>
      <div className={styles.search}>
        <SearchField
          label="Filter: what to enroll"
          placeholder="Filter, such as debian or sql"
          value={search}
          live
          field={{ autoFocus: true }}
          onSearch={text => setQuery({ search: text })}
          onKeyDown={event => {
            if (event.key !== 'ArrowDown') return false;
            event.preventDefault();
            (grid.current?.querySelector('a, button') as HTMLElement | null)?.focus();
            return true;
          }}
        />
      </div>
      {found.length === 0 ? (
        <NoneFound filter={search} onClear={() => setQuery({ search: undefined })} />
      ) : (
        <ul ref={grid} className={tiles.tiles} onKeyDown={event => stepThrough(event)}>
          {found.map(id => (
            <li key={id}>
              <Tile id={id} />
            </li>
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {found.length === 1 ? '1 kind of resource' : `${found.length} kinds of resources`}
      </p>
    </>
  );
}

function Tile({ id }: { readonly id: EnrollmentId }) {
  const { who, config } = usePage();
  const enrollment = enrollments[id];
  const { by } = enrollment;
  if ('command' in by) return <CommandTile command={by.command} {...enrollment} />;
  if ('manual' in by)
    return (
      <a className={tiles.tile} href={manualAddress(by.manual)} target="_blank" rel="noopener">
        <Words {...enrollment} />
      </a>
    );
  const refused = notEnrolled(id, { who, config });
  if (refused === undefined)
    return (
      <LinkTo id="discover" query={{ tile: id }} className={tiles.tile}>
        <Words {...enrollment} />
      </LinkTo>
    );
  return (
    <button type="button" className={tiles.tile} aria-disabled="true">
      <Words {...enrollment} detail={refused} />
    </button>
  );
}

function CommandTile({ command, ...enrollment }: { readonly command: string } & Omit<Enrollment, 'by'>) {
  const { refused, hidden, run } = useGate(command);
  const why = hidden ? 'Your roles do not show this list' : refused;
  return (
    <button type="button" className={tiles.tile} aria-disabled={why === undefined ? undefined : true} onClick={run}>
      <Words {...enrollment} detail={why ?? enrollment.detail} />
    </button>
  );
}

function Words({ icon, title, detail }: Pick<Enrollment, 'icon' | 'title' | 'detail'>) {
  return (
    <>
      <NamedIcon name={icon} />
      <span className={tiles.words}>
        <strong>{title}</strong>
        <span>{detail}</span>
      </span>
    </>
  );
}
