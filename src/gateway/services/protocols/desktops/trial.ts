// Tries a desktop as a person: their roles, a login, the way there, and what answers. What fails is said with what to do.

import { isPort, readAddress } from '../../../../contract/address.ts';
import type { Trace } from '../../../../contract/diagnostics.ts';
import type { DesktopProtocol } from '../../../../contract/resources.ts';
import type { Reach } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resources } from '../../../store/store.ts';
import { createTraces } from '../../traces.ts';
import { type Answering, probeDesktop } from './probe.ts';

interface DesktopTrialParts {
  readonly resources: Pick<Resources, 'get'>;
  readonly reach: Pick<Reach, 'stream'>;
}
/** Never throws for what is wrong with the desktop. */
export type DesktopTrial = (who: Who, name: string) => Promise<readonly Trace[]>;

const words: Readonly<Record<Answering, string>> = {
  'rdp-nla': 'RDP with NLA',
  'rdp-tls': 'RDP, TLS only',
  'rdp-plain': 'RDP without TLS',
  vnc: 'VNC',
  other: 'something that is neither RDP nor VNC',
  nothing: 'nobody',
};
/** What is right for each protocol. */
const good: Readonly<Record<DesktopProtocol, readonly Answering[]>> = { rdp: ['rdp-nla', 'rdp-tls'], vnc: ['vnc'] };

export function createDesktopTrial({ resources, reach }: DesktopTrialParts): DesktopTrial {
  return async (who, name) => {
    const { all, passed, failed } = createTraces();
    const desktop = await resources.get('windows_desktop', name);
    if (!desktop || !who.rights.selects('windows_desktop', desktop.labels))
      return failed(
        'RBAC_DESKTOP',
        'Give one of your roles windows_desktop_labels that match its labels.',
        `"${name}" was not found`,
      );
    passed('RBAC_DESKTOP', 'Your roles select it.');
    const logins = who.rights.principals('windows_desktop_logins', desktop.labels);
    if (logins.length === 0)
      return failed(
        'RBAC_DESKTOP_LOGIN',
        'Name one in windows_desktop_logins of a role.',
        'no role names a login for it',
      );
    passed('RBAC_DESKTOP_LOGIN', `You may log in as ${logins.join(', ')}.`);
    const { host = '', port } = readAddress(desktop.address) ?? {};
    if (port === null || port === undefined || !isPort(port))
      return failed('CONNECTIVITY', 'Change what is written of it.', `${desktop.address} is no address`);
    let answering: Answering;
    try {
      const stream = await reach.stream({ target: name, host, port }, who.rights.options.reachLoopback);
      answering = await probeDesktop(stream);
    } catch (error) {
      return failed('CONNECTIVITY', 'Look at the address, at firewalls, and at whether it is switched on.', error);
    }
    passed('CONNECTIVITY', `${desktop.address} takes connections.`);
    const protocol: DesktopProtocol = desktop.subtype === 'vnc' ? 'vnc' : 'rdp';
    if (good[protocol].includes(answering)) passed('DESKTOP_ANSWER', `${words[answering]} answers.`);
    else
      return failed(
        'DESKTOP_ANSWER',
        answering === 'rdp-plain'
          ? 'Let it offer TLS: what is typed would cross the network readable.'
          : 'Look at the port and the protocol.',
        `${words[answering]} answers, where ${protocol === 'rdp' ? 'RDP' : 'VNC'} is expected`,
      );
    return all;
  };
}
