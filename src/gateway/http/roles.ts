// Roles as YAML resources.

import { previewRole } from '../../contract/role-preview.ts';
import {
  createRole,
  deleteRole,
  getRole,
  listPresetRoles,
  listRoles,
  updateNamedRole,
  updateRole,
} from '../../contract/roles.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveRoles(serve: Serve, { roles }: Services): void {
  serve(listRoles, async (_asked, who) => [...(await roles.list(who))]);
  serve(listPresetRoles, () => [...roles.presets()]);
  serve(getRole, ({ params }, who) => roles.get(params.name, who));
  serve(createRole, ({ body }, who) => roles.create(body.content, who));
  serve(updateRole, ({ params, body }, who) => roles.update(body.content, who, params.name));
  serve(updateNamedRole, ({ body }, who) => roles.update(body.content, who, body.name));
  serve(previewRole, ({ body }, who) => roles.preview(body, who));
  serve(deleteRole, async ({ params }, who) => {
    await roles.remove(params.name, who);
    return OK;
  });
}
