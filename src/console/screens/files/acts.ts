// What is done with the files of two panes: copied from one to the other, taken from this computer, deleted. Asks before anything is lost.
import { toApiError } from '../../../client/errors.ts';
import { type FileEntry, shownName } from '../../../contract/files.ts';
import type { Looks } from '../../terminal/files/looks.ts';
import { pathIn } from '../../terminal/files/place.ts';
import type { Transfers } from '../../terminal/files/transfers.ts';
import type { Page } from '../page.tsx';
import type { Dropped } from './dropped.ts';
import type { PaneStore } from './pane.ts';

/** Names that a question says. */
const NAMED_MOST = 5;

interface ActPorts extends Pick<Page, 'confirm' | 'notify'> {
  readonly looks: Pick<Looks, 'remove'>;
  readonly transfers: Pick<Transfers, 'copy' | 'download' | 'upload' | 'uploadFolder'>;
}
/** Each settles when what it began is over. */
export interface Acts {
  /** To the folder of the other pane; where that is this computer, folders come as tar. `begun`: it was not refused. */
  copy(from: PaneStore, to: PaneStore, entries: readonly FileEntry[], begun: () => void): Promise<void>;
  upload(to: PaneStore, what: Dropped): Promise<void>;
  remove(from: PaneStore, entries: readonly FileEntry[]): Promise<void>;
}

function named(names: readonly string[]): string {
  const more = names.length - NAMED_MOST;
  return [...names.slice(0, NAMED_MOST).map(shownName), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

export function createActs({ looks, transfers, confirm, notify }: ActPorts): Acts {
  async function mayReplace({ state }: PaneStore, names: readonly string[]): Promise<boolean> {
    const there = new Set(state.entries.map(({ name }) => name));
    const taken = names.filter(name => there.has(name));
    return (
      taken.length === 0 ||
      confirm({
        title: taken.length === 1 ? `Replace ${named(taken)}?` : `Replace ${taken.length} things?`,
        text: `${named(taken)}: already in ${shownName(state.path)} of ${state.place?.title}. A file takes the place of the one with its name; what is in a folder stays beside what comes into it.`,
        action: 'Replace',
      })
    );
  }
  return {
    async copy({ state: from }, target, entries, begun) {
      const { state: to } = target;
      const { place } = from;
      if (place === null || entries.length === 0) return;
      if (to.place === null) {
        begun();
        void transfers.download(
          place,
          entries.map(({ name, kind }) => ({
            location: pathIn(from.path, name),
            archive: kind === 'folder' ? 'tar' : undefined,
          })),
        );
        return;
      }
      if (to.error !== null) return notify('The other pane shows no folder to copy to');
      const { place: there, path } = to;
      const isSameHost = place.serverId === there.serverId;
      if (isSameHost && from.path === path) return notify('Both panes show the same folder');
      const inside = entries.find(({ name }) => `${path}/`.startsWith(`${pathIn(from.path, name)}/`));
      if (isSameHost && inside) return notify(`${shownName(inside.name)} cannot be copied into itself`);
      const names = entries.map(({ name }) => name);
      if (!(await mayReplace(target, names))) return;
      begun();
      await transfers.copy(
        place,
        there,
        entries.map(({ name, kind }) => ({
          location: pathIn(from.path, name),
          to: pathIn(path, name),
          isFolder: kind === 'folder',
        })),
      );
      await target.reload();
    },
    async upload(target, { files, folders }) {
      const { place, path, error } = target.state;
      if (files.length + folders.length === 0) return;
      if (place === null || error !== null) return notify('Show a folder of a server first: files go there');
      if (
        !(await mayReplace(
          target,
          [...files, ...folders].map(({ name }) => name),
        ))
      )
        return;
      await Promise.all([
        transfers.upload(place, files, `${path.replace(/\/+$/, '')}/`),
        ...folders.map(({ name, parts }) => transfers.uploadFolder(place, name, parts, pathIn(path, name))),
      ]);
      await target.reload();
    },
    async remove({ state: { place, path } }, entries) {
      const [first] = entries;
      if (place === null || first === undefined) return;
      const names = entries.map(({ name }) => name);
      const folders = entries.filter(({ kind }) => kind === 'folder').length;
      const agreed = await confirm({
        title: entries.length === 1 ? `Delete ${named(names)}?` : `Delete ${entries.length} things?`,
        text: `${named(names)} in ${shownName(path)} of ${place.title}.${folders > 0 ? ' Folders go with all that is in them.' : ''} Nothing brings this back.`,
        action: 'Delete',
      });
      if (!agreed) return;
      try {
        for (const { name } of entries) await looks.remove(place, pathIn(path, name));
      } catch (error) {
        notify(toApiError(error).message);
      }
    },
  };
}
