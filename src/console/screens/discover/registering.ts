// What the guides add: how each kind of thing is described, added and found again.
import { wrongApplicationAddress, wrongApplicationName } from '../../../../commands/applications.ts';
import { wrongDesktopName } from '../../../../commands/desktops.ts';
import { wrongAddress } from '../../../../commands/servers.ts';
import { createApplication } from '../../../contract/application-changes.ts';
import type { MakeCall } from '../../../contract/call.ts';
import { createDatabase } from '../../../contract/database-changes.ts';
import { createDesktop } from '../../../contract/desktop-changes.ts';
import {
  type Application,
  type Database,
  type Desktop,
  type DesktopProtocol,
  listApps,
  listDatabases,
  listDesktops,
} from '../../../contract/resources.ts';
import type { Enrollment } from '../../../features/enrollment.ts';
import type { Registering } from './RegisterStep.tsx';

export type DatabaseProtocol = Extract<Enrollment['by'], { readonly guide: 'database' }>['protocol'];

export const registeringDatabase = (
  api: MakeCall,
  clusterId: string,
  protocol: DatabaseProtocol,
): Registering<Database> => ({
  word: 'database',
  example: 'By which people know it, such as orders',
  addressExample: 'host or host:port, as the gateway dials it',
  joins: {
    role: 'Db',
    flags: ` --protocol ${protocol}`,
    example: 'host or host:port, as that machine dials it, such as 127.0.0.1',
  },
  selector: 'db_labels',
  wrongName: () => undefined,
  wrongAddress,
  add: ({ name, address, labels }) =>
    api(createDatabase, { params: { clusterId }, body: { name, protocol, uri: address, labels } }),
  find: async query =>
    (await api(listDatabases, { params: { clusterId }, query: { ...query, limit: 1 } })).items[0] ?? null,
});

export const registeringApplication = (api: MakeCall, clusterId: string): Registering<Application> => ({
  word: 'application',
  example: 'Such as wiki: it is part of its host name',
  addressExample: 'With its scheme, as the gateway dials it, such as http://10.0.0.7:8080',
  joins: {
    role: 'App',
    flags: '',
    example: 'With its scheme, as that machine dials it, such as http://127.0.0.1:8080',
  },
  selector: 'app_labels',
  wrongName: wrongApplicationName,
  wrongAddress: wrongApplicationAddress,
  add: ({ name, address, labels }) =>
    api(createApplication, { params: { clusterId }, body: { name, uri: address, labels } }),
  find: async query => (await api(listApps, { params: { clusterId }, query: { ...query, limit: 1 } })).items[0] ?? null,
});

export const registeringDesktop = (
  api: MakeCall,
  clusterId: string,
  protocol: DesktopProtocol,
): Registering<Desktop> => ({
  word: 'desktop',
  example: 'By which people know it, such as win-7',
  addressExample: 'host or host:port, as the gateway dials it',
  joins: null,
  selector: 'windows_desktop_labels',
  wrongName: wrongDesktopName,
  wrongAddress,
  add: ({ name, address, labels }) =>
    api(createDesktop, { params: { clusterId }, body: { name, addr: address, protocol, labels } }),
  find: async query =>
    (await api(listDesktops, { params: { clusterId }, query: { ...query, limit: 1 } })).items[0] ?? null,
});
