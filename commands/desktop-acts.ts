// What the commands of desktops do once they are asked: fetched then.
import { compareDesktopCertificate, trustDesktopCertificate } from '../src/contract/desktop-certificates.ts';
import { createDesktop, deleteDesktop, updateDesktop } from '../src/contract/desktop-changes.ts';
import { setDesktopPassword } from '../src/contract/desktop-sessions.ts';
import { getDesktop } from '../src/contract/resources.ts';
import { answer, confirmed, textChoice } from './answer.ts';
import type { Argument, Command } from './command.ts';
import { registeredActs } from './registered-acts.ts';

/** Logins that roles name for the desktop. */
export const logins: Argument['choices'] = async (typed, given, { clusterId }, tools) => {
  const { value: name, thing } = answer(given, 'desktop');
  const named = thing?.logins ?? (await tools.call(getDesktop, { params: { clusterId, name } })).logins;
  return named.filter(login => login !== '*' && login.includes(typed)).map(textChoice);
};

export const keepPassword: Command['run'] = async (given, { clusterId }, tools) => {
  const { value: name } = answer(given, 'desktop');
  const { value: login } = answer(given, 'login');
  const password = given.secret?.value ?? '';
  await tools.call(setDesktopPassword, { params: { clusterId, name, login }, body: { password } });
  tools.notify(
    password === ''
      ? `The password of ${login} on ${name} is forgotten`
      : `The password of ${login} on ${name} is kept, encrypted`,
  );
};

export const trust: Command['run'] = async (given, { clusterId }, tools) => {
  const params = { clusterId, name: answer(given, 'desktop').value };
  const { name, addr, pinned, shown } = await tools.call(compareDesktopCertificate, { params });
  if (pinned === shown) return tools.notify(`${name} shows the certificate that is trusted already`);
  await confirmed(tools, {
    title: `Trust the new certificate of ${name}?`,
    text: `Trusted until now (SHA-256):\n${pinned || 'none'}\n\nShown by ${addr} now:\n${shown}\n\nCompare it on the desktop itself: if nobody set it up anew or renewed its certificate, somebody else may be answering in its place.`,
    action: 'Trust the new certificate',
    manual: 'trustDesktop',
  });
  await tools.call(trustDesktopCertificate, { params, body: { certificate: shown, replaces: pinned } });
  tools.notify(`The new certificate of ${name} is trusted`);
};

export const acts = registeredActs({
  noun: 'desktop',
  page: 'desktops',
  diagnosed: 'windows_desktop',
  manual: 'addDesktop',
  good: 'rights, login, way and answer are in order',
  place: 'address',
  lacking: 'Type an address or labels',
  removal: 'It leaves the list. The desktop itself is not touched.',
  called: 'desktop',
  create: (call, clusterId, given, body) =>
    call(createDesktop, {
      params: { clusterId },
      body: {
        ...body,
        addr: answer(given, 'address').value.trim(),
        protocol: answer(given, 'protocol').value === 'vnc' ? 'vnc' : 'rdp',
      },
    }),
  update: (call, params, { place, labels }) =>
    call(updateDesktop, {
      params,
      body: { ...(place !== undefined && { addr: place }), ...(labels !== undefined && { labels }) },
    }),
  remove: ({ call }, params) => call(deleteDesktop, { params }),
});
