// A gateway's delivery as a process of its own, which a test kills: `node … FOLDER URL COUNT`. It writes events and tells of them by one plugin.

import { createAuditLog } from './services/audit/audit.ts';
import { forwarding } from './services/audit/forward.ts';
import { openPluginDelivery } from './services/plugins/delivery.ts';
import { createOutgoing } from './services/plugins/outgoing.ts';
import { createPlugins } from './services/plugins/plugins.ts';
import { openStore } from './store/open.ts';

const [folder = '', url = '', count = '0'] = process.argv.slice(2);
const store = await openStore({ kind: 'sqlite', folder }, { warn: () => undefined });
const audit = createAuditLog({ events: store.events, users: store.users, clusterName: 'here' });
const heard = new Set<(change: { readonly kind: 'pluginsChanged' }) => unknown>();
const by = { user: 'ann', rights: null };
const request = createOutgoing(true);
const plugins = createPlugins({
  ...store,
  audit,
  changes: {
    emit: change => {
      if (change.kind === 'pluginsChanged') for (const one of heard) one(change);
    },
  },
  secretBox: { seal: async secret => secret, open: sealed => sealed },
  request,
  own: true,
  clusterName: 'here',
});
if ((await plugins.list(by)).length === 0)
  await plugins.create({ name: 'ops', kind: 'webhook', spec: { url, kinds: ['request'] } }, by);
const parts = { events: store.events, settings: store.settings, gatewayId: 'g1', clock: () => new Date() };
openPluginDelivery({
  plugins: plugins.delivery,
  changes: {
    subscribe: listener => {
      heard.add(listener);
      return () => heard.delete(listener);
    },
  },
  clusterName: 'here',
  publicUrl: 'https://console.example.com',
  request,
  users: store.users,
  own: true,
  clock: () => new Date(),
  // The real one waits longer after each failure, which deliveries.test.ts tries.
  keep: ({ next }) => {
    let isOver = false;
    const go = (): void => {
      if (isOver) return;
      next().then(
        ms => setTimeout(go, Math.min(ms, 20)),
        () => setTimeout(go, 5),
      );
    };
    go();
    return {
      dispose: () => {
        isOver = true;
      },
    };
  },
  forward: reader => forwarding(parts, reader),
  report: (_problem, error) => process.stderr.write(`${String(error)}\n`),
});
for (let made = 0; made < Number(count); made += 1) {
  await audit.emit({ code: 'T5000I', id: `${process.pid}-${made}`, user: 'ann', roles: ['dba'], state: 'PENDING' });
  // What no plugin wants stands between.
  await audit.emit({ code: 'T1000I', user: 'ann', success: true, method: 'local' });
}
const { events } = await store.events.search({
  from: new Date(0),
  to: new Date(2 ** 42),
  limit: 1000,
  types: ['access_request.create'],
  descending: false,
});
process.stdout.write(`${JSON.stringify(events.map(({ uid }) => uid))}\n`);
