import { expect, test } from 'vitest';
import { type AssistantPorts, openAssistant } from './assistant.ts';

/** A line to a gateway that does what the test says. */
function begin(token: AssistantPorts['token'] = () => 'to+ken') {
  const sent: string[] = [];
  const heard: string[] = [];
  const over: string[] = [];
  const addresses: string[] = [];
  const socket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text: string) => void sent.push(text),
    close: () => void sent.push('closed'),
  } as unknown as ReturnType<AssistantPorts['connect']>;
  const ports: AssistantPorts = {
    token,
    connect(address) {
      addresses.push(address);
      return socket;
    },
    explainRefusal: async () => ({ status: 403, text: 'None of your roles allows it' }),
  };
  const line = openAssistant('here', { conversation_id: 'c/1' }, ports, {
    message: ({ payload }) => void heard.push(payload),
    over: why => void over.push(why),
  });
  const fire = (name: 'onopen' | 'onmessage' | 'onclose', event: object = {}): unknown =>
    (socket[name] as unknown as ((event: object) => unknown) | null)?.(event);
  return { line, sent, heard, over, addresses, fire };
}

// Rule 4: a chat is connecting until its socket opens, and finished once it is over
test('what is said while a chat is connecting is sent once it is open; finished, it says so once', async () => {
  const { line, sent, heard, over, addresses, fire } = begin();
  line.say('first');
  await expect
    .poll(() => addresses)
    .toEqual(['/v1/webapi/sites/here/assistant?access_token=to%2Bken&conversation_id=c%2F1']);
  line.say('second');
  expect(sent).toEqual([]);
  fire('onopen');
  expect(sent).toEqual(['first', 'second']);
  fire('onmessage', { data: 'no frame' });
  fire('onmessage', {
    data: JSON.stringify({ type: 'CHAT_MESSAGE_ASSISTANT', payload: 'hello', created_time: '2026-01-01T00:00:00Z' }),
  });
  expect(heard).toEqual(['hello']);
  await fire('onclose', { code: 1000, reason: '' });
  fire('onclose', { code: 1000, reason: '' });
  expect(over).toEqual(['']);
});

test('a chat that was lost, refused or could not begin says why', async () => {
  const lost = begin();
  await expect.poll(() => lost.addresses.length).toBe(1);
  lost.fire('onopen');
  await lost.fire('onclose', { code: 1006, reason: '' });
  expect(lost.over).toEqual(['The connection to the assistant was lost.']);
  const refused = begin();
  await expect.poll(() => refused.addresses.length).toBe(1);
  await refused.fire('onclose', { code: 1006, reason: '' });
  expect(refused.over).toEqual(['None of your roles allows it']);
  const nobody = begin(() => Promise.reject(new Error('You are not signed in')));
  await expect.poll(() => nobody.over).toEqual(['You are not signed in']);
});

test('a chat that was closed tells nothing any more', async () => {
  const { line, over, sent, addresses } = begin();
  await expect.poll(() => addresses.length).toBe(1);
  line.close();
  expect([over, sent]).toEqual([[], ['closed']]);
});
