// What the commands of recordings do that ask the gateway: fetched then.
import { exportRecording } from '../src/contract/audit.ts';
import { createHold, heldOn, releaseHold } from '../src/contract/holds.ts';
import { answer } from './answer.ts';
import type { Command } from './command.ts';

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
