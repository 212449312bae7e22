import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { type FileEntry, shownName } from '../../../contract/files.ts';
import { listNodes } from '../../../contract/nodes.ts';
import { features } from '../../../features/table.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { createLooks } from '../../terminal/files/looks.ts';
import { proofPortsOf, transfersOf } from '../../terminal/files/page-transfers.ts';
import { nameOf, type Place, pathIn } from '../../terminal/files/place.ts';
import { createProof } from '../../terminal/files/proof.ts';
import { TransferList } from '../../terminal/files/TransferList.tsx';
import type { Terminals } from '../../terminal/terminals.ts';
import { Button } from '../../ui/Button.tsx';
import { createAwaited } from '../../ui/lazy.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePage } from '../page.tsx';
import { createActs } from './acts.ts';
import { paneText, readPane } from './address.ts';
import styles from './files.module.css';
import { NameDialog } from './NameDialog.tsx';
import { Pane } from './Pane.tsx';
import { createPane } from './pane.ts';
import { folderOf, keepFolder } from './remembered.ts';
import { above, typedIn } from './rows.ts';

const FileDialog = createAwaited(async () => (await import('./FileDialog.tsx')).FileDialog);

/** Panes with less room than this say less of each file. */
const NARROW = '(max-width: 1279px)';
const sides = ['left', 'right'] as const;
type Side = (typeof sides)[number];
const acts = ['view', 'edit', 'copyOver', 'move', 'makeFolder', 'remove'] as const;
const labels: Readonly<Record<(typeof acts)[number], string>> = {
  view: 'View',
  edit: 'Edit',
  copyOver: 'Copy',
  move: 'Move',
  makeFolder: 'Folder',
  remove: 'Delete',
};

/** Files of servers in two panes. What they are copied with is the terminals', so that a copy goes on when the page is left. */
export default function FilesPage() {
  const { terminal, notify } = usePage();
  const [terminals, setTerminals] = useState<Terminals>();
  useEffect(() => {
    let isHere = true;
    terminal?.load().then(
      () => isHere && setTerminals(terminal.loaded()),
      (error: unknown) => notify(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      isHere = false;
    };
  }, [terminal, notify]);
  return terminals === undefined ? <Spinner /> : <Files terminals={terminals} />;
}

/** What is asked for in a dialog, about a place as it was when it was asked. */
type Asked =
  | {
      readonly kind: 'text';
      readonly side: Side;
      readonly place: Place;
      readonly path: string;
      readonly readOnly: boolean;
    }
  | {
      readonly kind: 'move';
      readonly side: Side;
      readonly place: Place;
      readonly from: readonly string[];
      readonly to: string;
    }
  | { readonly kind: 'makeFolder'; readonly side: Side; readonly place: Place; readonly path: string };

function Files({ terminals }: { readonly terminals: Terminals }) {
  const { api, clusterId, query, setQuery, confirm, notify, copyText, run, onChange } = usePage();
  const [active, setActive] = useState<Side>('left');
  const [asked, setAsked] = useState<Asked | null>(null);
  const isNarrow = useNarrow();
  const transfers = transfersOf(terminals);
  const { transfers: moving } = useSnapshot(transfers.state);
  const [{ looks, textPorts, panes, does }] = useState(() => {
    const proving = proofPortsOf(terminals, () =>
      notify('The others in your session there have been asked: this goes on once they approve'),
    );
    const looks = createLooks(proving);
    const pane = (side: Side) =>
      createPane(looks, (place, path) => {
        if (place !== null) keepFolder(localStorage, place.serverId, place.login, path);
        setQuery({ [side]: place === null ? undefined : paneText({ ...place, path }) });
      });
    return {
      looks,
      textPorts: {
        token: terminals.ports.token,
        proof: createProof(proving),
        approval: proving.approval,
        fetch: fetch.bind(globalThis),
      },
      panes: { left: pane('left'), right: pane('right') },
      does: createActs({ looks, transfers, confirm, notify }),
    };
  });
  const places = { left: useSnapshot(panes.left.state), right: useSnapshot(panes.right.state) };

  const show = useCallback(
    async (side: Side, serverId: string, login: string, path?: string): Promise<void> => {
      // A server that is not found is told by the listing.
      const { items } = await api(listNodes, { params: { clusterId }, query: { search: serverId, limit: 50 } }).catch(
        () => ({ items: [] }),
      );
      const hostname = items.find(({ id }) => id === serverId)?.hostname ?? serverId;
      const place: Place = { clusterId, serverId, login, title: `${login}@${hostname}` };
      await panes[side].show(place, path ?? folderOf(localStorage, serverId, login));
    },
    [api, clusterId, panes],
  );
  const first = useRef(query);
  useEffect(() => {
    for (const side of sides) {
      const at = readPane(first.current[side] ?? '');
      if (at !== null) void show(side, at.serverId, at.login, at.path);
    }
  }, [show]);
  const { server, login, path } = query;
  // A command names the server: it is shown in the pane that has the keys.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is named.
  useEffect(() => {
    if (server === undefined || login === undefined) return;
    setQuery({ server: undefined, login: undefined, path: undefined });
    void show(active, server, login, path);
  }, [server, login, path]);
  useEffect(
    () =>
      onChange(() => {
        for (const side of sides) void panes[side].reload();
      }),
    [onChange, panes],
  );

  const focusOn = (side: Side): void => {
    setActive(side);
    const pane = document.querySelector<HTMLElement>(`[data-pane=${side}]`);
    const row = pane?.querySelector<HTMLElement>('tbody tr[tabindex="0"]');
    (row ?? pane?.querySelector<HTMLElement>('button') ?? pane)?.focus();
  };
  // A row that a dialog was opened from may be gone when that closes: then the pane has the keys.
  const wasAsked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each dialog that closes.
  useEffect(() => {
    if (wasAsked.current && asked === null && document.activeElement?.closest('[data-pane]') == null) focusOn(active);
    wasAsked.current = asked !== null;
  }, [asked]);
  async function open(side: Side, { name, kind }: FileEntry): Promise<void> {
    const { place, path } = panes[side].state;
    if (place === null) return;
    const at = pathIn(path, name);
    if (kind === 'other') return notify(`${shownName(name)} is no file, folder or link`);
    if (kind !== 'file' && (await panes[side].enter(at, { mayBeFile: kind === 'link' }))) return;
    setAsked({ kind: 'text', side, place, path: at, readOnly: true });
  }
  // Both may show the same host.
  const reloadAll = (): Promise<unknown> => Promise.all(sides.map(side => panes[side].reload()));
  function act(side: Side, what: string, entries: readonly FileEntry[], unmark: () => void): unknown {
    const { place, path } = panes[side].state;
    const other = panes[side === 'left' ? 'right' : 'left'];
    const [one] = entries;
    if (place === null) return null;
    if (what === 'parent') return panes[side].enter(above(path), { goal: nameOf(path) });
    if (what === 'makeFolder') return setAsked({ kind: what, side, place, path });
    if (one === undefined) return notify('There is nothing to do this with');
    if (what === 'copyOver') return does.copy(panes[side], other, entries, unmark);
    if (what === 'remove') return does.remove(panes[side], entries).then(reloadAll);
    if (what === 'copy') return copyText(pathIn(path, shownName(one.name)));
    if (what === 'move') {
      const { place: there, path: beyond } = other.state;
      const isSame = there?.serverId === place.serverId && there.login === place.login;
      const into = isSame ? beyond : path;
      const to = entries.length === 1 ? pathIn(into, one.name) : pathIn(into, '');
      return setAsked({ kind: what, side, place, from: entries.map(({ name }) => pathIn(path, name)), to });
    }
    if (what !== 'view' && what !== 'edit') return null;
    if (entries.length > 1) return notify('Several files are marked: one is opened at a time');
    if (one.kind === 'folder') return notify('A folder is opened with Enter');
    return setAsked({ kind: 'text', side, place, path: pathIn(path, one.name), readOnly: what === 'view' });
  }

  const openOf = useMemo(
    () => ({
      left: (entry: FileEntry) => void latest.current.open('left', entry),
      right: (entry: FileEntry) => void latest.current.open('right', entry),
    }),
    [],
  );
  const latest = useRef({ open });
  latest.current = { open };
  const isAllOver = moving.every(({ status }) => status !== 'running' && status !== 'waiting');
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <h1>{features.files.title}</h1>
        <ManualLink id="browseFiles" />
      </div>
      <div className={styles.panes}>
        {sides.map(side => {
          const other = places[side === 'left' ? 'right' : 'left'];
          const goesTo = other.place === null ? null : `${shownName(other.path)} of ${other.place.title}`;
          return (
            <Pane
              key={side}
              side={side}
              store={panes[side]}
              isActive={active === side}
              isNarrow={isNarrow}
              target={goesTo}
              onActive={() => setActive(side)}
              onOther={() => focusOn(side === 'left' ? 'right' : 'left')}
              onOpen={openOf[side]}
              onAct={(...asked) => void act(side, ...asked)}
              onServer={() => {
                setActive(side);
                run('files.open');
              }}
              onDrop={what => {
                const here = panes[side].state.place === null;
                void does.upload(panes[here ? (side === 'left' ? 'right' : 'left') : side], what);
              }}
              onProblem={notify}
            />
          );
        })}
      </div>
      <div className={styles.bar} role="toolbar" aria-label="Files">
        {acts.map(id => (
          <CommandButton key={id} id={`list.${id}`} size="dense" showKeys>
            {labels[id]}
          </CommandButton>
        ))}
      </div>
      {moving.length > 0 && (
        <section className={styles.transfers} aria-labelledby="transfers">
          <div className={styles.top}>
            <h2 id="transfers">Transfers</h2>
            {isAllOver && (
              <Button size="dense" onClick={transfers.clear}>
                Clear
              </Button>
            )}
          </div>
          <TransferList transfers={transfers} />
        </section>
      )}
      {asked?.kind === 'text' && (
        <FileDialog
          ports={textPorts}
          place={asked.place}
          path={asked.path}
          readOnly={asked.readOnly}
          onClose={isSaved => {
            setAsked(null);
            if (isSaved) {
              notify(`${shownName(nameOf(asked.path))} has been saved`);
              void reloadAll();
            }
          }}
        />
      )}
      {asked?.kind === 'makeFolder' && (
        <NameDialog
          title={`Make a folder in ${shownName(asked.path)}`}
          label="Name of the folder"
          value=""
          action="Make"
          onGive={async name => {
            await looks.makeFolder(asked.place, pathIn(asked.path, name));
            void reloadAll();
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.kind === 'move' && (
        <NameDialog
          title={`Move ${asked.from.length === 1 ? shownName(nameOf(asked.from[0] ?? '')) : `${asked.from.length} things`}`}
          label={asked.from.length === 1 ? 'New name or place' : 'Folder they go to'}
          value={shownName(asked.to)}
          action="Move"
          onGive={async typed => {
            const folder = above(asked.from[0] ?? '');
            const to = typedIn(folder, typed === shownName(asked.to) ? asked.to : typed);
            for (const from of asked.from) {
              const at = asked.from.length > 1 || to.endsWith('/') ? pathIn(to, nameOf(from)) : to;
              await looks.move(asked.place, from, at);
            }
            void reloadAll();
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const tell = (): void => setNarrow(media.matches);
    media.addEventListener('change', tell);
    return () => media.removeEventListener('change', tell);
  }, []);
  return isNarrow;
}
