// ECS by its JSON protocol (AWS, ECS API reference, version 2014-11-13).
import { type AwsAsk, AwsRefusal, signedPost } from './signed-post.ts';

/** Throws AwsRefusal, and what the network says. */
export async function askEcs(
  to: Omit<AwsAsk, 'service'>,
  action: string,
  asked: object,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AmazonEC2ContainerServiceV20141113.${action}`,
  };
  const { ok, status, text } = await signedPost({ ...to, service: 'ecs' }, headers, JSON.stringify(asked));
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = null;
  }
  if (typeof read !== 'object' || read === null) throw new Error(`ECS answered ${status} and nothing that can be read`);
  const answer = read as Readonly<Record<string, unknown>>;
  if (ok) return answer;
  // With or without the name space before it, and with either case.
  const code =
    String(answer.__type ?? status)
      .split('#')
      .at(-1) ?? '';
  throw new AwsRefusal(code, String(answer.message ?? answer.Message ?? 'it was refused'));
}
