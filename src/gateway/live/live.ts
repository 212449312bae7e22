// The gateway's sockets, registered.
import type { FastifyInstance } from 'fastify';
import type { Changes } from '../ports/changes.ts';
import type { Identity } from '../services/identity/identity.ts';
import { type AssistantSocketServices, serveAssistantSocket } from './assistant.ts';
import { serveChanges } from './changes.ts';
import { type CommandServices, serveCommand } from './command.ts';
import { type DesktopPictureServices, serveDesktopPictures } from './desktop-pictures.ts';
import { type DesktopWatchServices, serveDesktopWatch } from './desktop-watch.ts';
import { type DesktopSocketServices, serveDesktopSockets } from './desktops.ts';
import { createOriginCheck } from './origin.ts';
import { type PodsSocketParts, servePodsLive } from './pods.ts';
import { openSockets } from './sockets.ts';
import { type SshSocketServices, serveSshSocket } from './ssh.ts';
import { serveTerminal, type TerminalServices } from './terminal.ts';

export interface LiveServices extends Omit<TerminalServices, 'servers' | 'identity' | 'clusters'> {
  readonly identity: Identity;
  readonly servers: TerminalServices['servers'] & CommandServices['servers'];
  readonly clusters: PodsSocketParts['clusters'];
  readonly changes: Changes;
  readonly assistant: AssistantSocketServices['assistant'] & CommandServices['assistant'];
  readonly sshDoor: SshSocketServices['sshDoor'];
  readonly leaves: SshSocketServices['leaves'];
  readonly desktops: DesktopSocketServices['desktops'];
  readonly recordings: DesktopPictureServices['recordings'];
  readonly auditAccess: DesktopPictureServices['auditAccess'];
  readonly watchDesktop: DesktopWatchServices['watchDesktop'];
  readonly config: TerminalServices['config'] & {
    readonly publicUrl: string;
    readonly origins: readonly string[];
    readonly tls?: object;
  };
}

/** Every socket of the gateway; they close with the app. */
export function serveLive(app: FastifyInstance, services: LiveServices): void {
  const { config, changes } = services;
  const sockets = openSockets({
    sessions: services.identity.sessions,
    changes,
    isOwn: createOriginCheck([config.publicUrl, ...config.origins], app.server, config.tls !== undefined),
    failed: error => app.log.error({ err: error }, 'web sessions of sockets could not be checked'),
  });
  app.addHook('onClose', async () => sockets.dispose());
  serveTerminal(app, sockets, services);
  serveCommand(app, sockets, services);
  serveAssistantSocket(app, sockets, services);
  servePodsLive(app, sockets, services);
  serveSshSocket(app, sockets, services);
  serveDesktopSockets(app, sockets, services);
  serveDesktopPictures(app, sockets, services);
  serveDesktopWatch(app, sockets, services);
  serveChanges(app, sockets, { changes, keepAliveMs: config.keepAliveMs });
}
