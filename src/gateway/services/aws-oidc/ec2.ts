// EC2 by its query protocol (AWS, EC2 API reference, version 2016-11-15).
import { DOMParser } from '@xmldom/xmldom';
import { type AwsAsk, AwsRefusal, signedPost } from './signed-post.ts';

const VERSION = '2016-11-15';

/** An element of an answer: its text, the elements in it by name, and those of a list. */
export interface Answered {
  text(name: string): string;
  items(name: string): readonly Answered[];
  one(name: string): Answered;
}

/** `asked`: parameters as the protocol has them, such as `Filter.1.Name`. Throws AwsRefusal, and what the network says. */
export async function askEc2(
  to: Omit<AwsAsk, 'service'>,
  action: string,
  asked: Readonly<Record<string, string>>,
): Promise<Answered> {
  const body = new URLSearchParams({ Action: action, Version: VERSION, ...asked }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const { ok, status, text } = await signedPost({ ...to, service: 'ec2' }, headers, body);
  const answer = readXml(text);
  if (!answer) throw new Error(`EC2 answered ${status} and nothing that can be read`);
  if (!ok) {
    const error = answer.one('Errors').one('Error');
    throw new AwsRefusal(error.text('Code') || String(status), error.text('Message') || 'it was refused');
  }
  return answer;
}

/** What stands in the root of an answer; null for what cannot be read. */
export function readXml(text: string): Answered | null {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return null;
  const quiet = { warning: () => undefined, error: () => undefined, fatalError: () => undefined };
  const document: unknown = new DOMParser({ errorHandler: quiet }).parseFromString(text, 'text/xml');
  const root = (document as Document | undefined)?.documentElement;
  return root ? answered(root) : null;
}

function answered(element: Element | null): Answered {
  const inside = (name: string): readonly Element[] =>
    Array.from(element?.childNodes ?? []).filter(
      (one): one is Element => one.nodeType === 1 && (one as Element).localName === name,
    );
  const one = (name: string): Answered => answered(inside(name)[0] ?? null);
  return {
    text: name => inside(name)[0]?.textContent ?? '',
    one,
    items: name => {
      const [list] = inside(name);
      return Array.from(list?.childNodes ?? [])
        .filter((child): child is Element => child.nodeType === 1 && (child as Element).localName === 'item')
        .map(child => answered(child));
    },
  };
}
