// What the commands of trusted devices do once they are asked: fetched then.
import { ApiError } from '../src/contract/failure.ts';
import {
  createEnrollToken,
  createTrustedDevice,
  deleteTrustedDevice,
  forgetOwnDevice,
  osTypes,
  updateTrustedDevice,
} from '../src/contract/trusted-devices.ts';
import { answer, confirmed } from './answer.ts';
import type { Command, Tools } from './command.ts';

async function handOverToken(tools: Tools, id: string, title: string): Promise<void> {
  const { token, expires } = await tools.call(createEnrollToken, { params: { name: id }, body: {} });
  await tools.handOver({
    title: `Enrol token of ${title}`,
    text: `It works once, until ${expires.slice(0, 16).replace('T', ' ')} UTC: whoever is at the device signs in and runs "Enroll this as a trusted device…", or on its command line "postern device enroll TOKEN". It is not shown again.`,
    link: token,
  });
}

export const add: Command['run'] = async (given, facts, tools) => {
  const typed = answer(given, 'os').value;
  const os_type = osTypes.find(one => one === typed);
  if (os_type === undefined) throw new Error('Type linux, macos or windows');
  const asset_tag = answer(given, 'asset').value.trim();
  const device = await tools.call(createTrustedDevice, { body: { os_type, asset_tag } });
  if (facts.feature === 'trustedDevices') tools.list.reload?.();
  try {
    await handOverToken(tools, device.id, asset_tag);
  } catch (error) {
    // Another role makes the tokens.
    if (!(error instanceof ApiError && error.code === 'denied')) throw error;
    tools.notify(`${asset_tag} is registered. Whoever may make enrol tokens makes one for it`);
  }
};

export const makeToken: Command['run'] = async (given, _facts, tools) => {
  const { value: id, title } = answer(given, 'device');
  await handOverToken(tools, id, title);
};

export const retag: Command['run'] = async (given, _facts, tools) => {
  const { value: id, title } = answer(given, 'device');
  const asset_tag = answer(given, 'asset').value.trim();
  await tools.call(updateTrustedDevice, { params: { name: id }, body: { asset_tag } });
  tools.notify(`${title} is ${asset_tag} now`);
};

export const remove: Command['run'] = async (given, _facts, tools) => {
  const { value: id, title } = answer(given, 'device');
  await confirmed(tools, {
    title: `Remove ${title}?`,
    text: 'Whoever is signed in from it is signed out, and what was begun with it ends at once.',
    action: 'Yes, remove',
  });
  await tools.call(deleteTrustedDevice, { params: { name: id } });
  tools.notify(`${title} has been removed`);
};

export const enroll: Command['run'] = async (given, facts, tools) => {
  const { ownDevice } = tools;
  if (!ownDevice || facts.who === null) throw new Error('There is no place for a key here');
  const { asset_tag } = await ownDevice.enroll(facts.who.userName, answer(given, 'token').value.trim());
  await tools.reloadUser?.();
  tools.notify(`This is the trusted device ${asset_tag} now`);
};

export const forget: Command['run'] = async (_given, facts, tools) => {
  const { who } = facts;
  if (who?.trustedDevice === undefined) throw new Error('You are not signed in from a trusted device');
  const { id, assetTag } = who.trustedDevice;
  await confirmed(tools, {
    title: `Forget ${assetTag}?`,
    text: 'It is no trusted device any more, and what was begun with it ends at once. It needs a new token to be one again.',
    action: 'Yes, forget it',
  });
  await tools.call(forgetOwnDevice, { params: { name: id } });
  await tools.ownDevice?.forget(who.userName);
  await tools.reloadUser?.();
  tools.notify(`${assetTag} is not enrolled any more`);
};
