// Access lists.
import {
  addAccessListMember,
  createAccessList,
  deleteAccessList,
  getAccessList,
  getAccessListYaml,
  listAccessLists,
  removeAccessListMember,
  reviewAccessList,
  updateAccessList,
  updateAccessListMember,
} from '../../contract/access-lists.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveAccessLists(serve: Serve, { accessLists }: Services): void {
  serve(listAccessLists, async (_asked, who) => ({ items: [...(await accessLists.list(who))] }));
  serve(getAccessList, ({ params }, who) => accessLists.get(who, params.name));
  serve(getAccessListYaml, ({ params }, who) => accessLists.yaml(who, params.name));
  serve(createAccessList, ({ body }, who) => accessLists.create(who, body.content));
  serve(updateAccessList, ({ params, body }, who) => accessLists.update(who, params.name, body.content));
  serve(deleteAccessList, async ({ params }, who) => {
    await accessLists.remove(who, params.name);
    return OK;
  });
  serve(addAccessListMember, ({ params, body }, who) => accessLists.addMember(who, params.name, body));
  serve(updateAccessListMember, ({ params: { name, memberKind: kind, member }, body }, who) =>
    accessLists.updateMember(who, name, { kind, name: member }, body),
  );
  serve(removeAccessListMember, async ({ params: { name, memberKind: kind, member } }, who) => {
    await accessLists.removeMember(who, name, { kind, name: member });
    return OK;
  });
  serve(reviewAccessList, ({ params, body }, who) => accessLists.review(who, params.name, body));
}
