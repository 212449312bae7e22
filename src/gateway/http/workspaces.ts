// Workspaces: saved tabs and splits of terminals.
import { OK } from '../../contract/shapes.ts';
import {
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  renameWorkspace,
  saveWorkspace,
} from '../../contract/workspaces.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveWorkspaces(serve: Serve, { workspaces }: Services): void {
  serve(listWorkspaces, async (_asked, who) => [...(await workspaces.list(who))]);
  serve(getWorkspace, ({ params }, who) => workspaces.open(who, params.id));
  serve(saveWorkspace, ({ body }, who) => workspaces.save(who, body));
  serve(renameWorkspace, ({ params, body }, who) => workspaces.rename(who, params.id, body.name));
  serve(deleteWorkspace, async ({ params }, who) => {
    await workspaces.remove(who, params.id);
    return OK;
  });
}
