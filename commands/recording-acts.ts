// What the commands of recordings do that ask the gateway: fetched then.
import { exportRecording } from '../src/contract/audit.ts';
import { createHold, heldOn, listHolds, releaseHold } from '../src/contract/holds.ts';
import { answer, CHOICES_MOST } from './answer.ts';
import type { Argument, Command } from './command.ts';
import { found } from './find.ts';

/** Users and hosts whose recordings can be held. */
export const heldChoices: Argument['choices'] = async (typed, _given, facts, tools) => {
  const things = await found(tools, facts, ['user', 'server'], typed);
  const kinds = things.map(({ kind, title }) => ({ kind: kind === 'user' ? 'user' : 'host', title }));
  return kinds
    .map(({ kind, title }) => ({ value: `${kind}:${title}`, title: `${kind} ${title}` }))
    .slice(0, CHOICES_MOST);
};

/** What is held now. */
export const holdChoices: Argument['choices'] = async (typed, _given, { clusterId }, tools) => {
  const { holds } = await tools.call(listHolds, { params: { clusterId } });
  return holds
    .map(one => ({ value: one.id, title: heldOn(one), detail: one.why }))
    .filter(({ title, detail }) => `${title} ${detail}`.toLowerCase().includes(typed.toLowerCase()))
    .slice(0, CHOICES_MOST);
};

export const hold: Command['run'] = async (given, { clusterId }, tools) => {
  const { value: sid, title } = answer(given, 'recording');
  await tools.call(createHold, {
    params: { clusterId },
    body: { on: { sid }, why: answer(given, 'reason').value },
  });
  tools.notify(`The recording of ${title} is held`);
};

export const holdAll: Command['run'] = async (given, { clusterId }, tools) => {
  const on = answer(given, 'on').value;
  const [key = ''] = on.split(':', 1);
  const name = on.slice(key.length + 1);
  const held = await tools.call(createHold, {
    params: { clusterId },
    body: { on: { [key]: name }, why: answer(given, 'reason').value },
  });
  tools.notify(`All recordings of ${heldOn(held)} are held, now and to come`);
};

export const release: Command['run'] = async (given, { clusterId }, tools) => {
  const { value, title } = answer(given, 'hold');
  await tools.call(releaseHold, {
    params: { clusterId, hold: value },
    body: { why: answer(given, 'reason').value },
  });
  tools.notify(`Released: ${title}`);
};

export const exportOne: Command['run'] = async (given, { clusterId }, tools) => {
  const sid = answer(given, 'recording').value;
  await tools.save?.(exportRecording, { params: { clusterId, sid } }, `${sid}.cast`);
};
