// Services of AWS by the JSON protocol: ECS (API reference, version 2014-11-13) and EC2 Instance Connect (version 2018-04-02).
import { type AwsAsk, AwsRefusal, signedPost } from './signed-post.ts';

/** `action`: with the name of the service's version before it, as its model has them. Throws AwsRefusal, and what the network says. */
export async function askJson(to: AwsAsk, action: string, asked: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': action };
  const { ok, status, text } = await signedPost(to, headers, JSON.stringify(asked));
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = null;
  }
  if (typeof read !== 'object' || read === null)
    throw new Error(`${to.service} answered ${status} and nothing that can be read`);
  const answer = read as Readonly<Record<string, unknown>>;
  if (ok) return answer;
  // With or without the name space before it, and with either case.
  const code =
    String(answer.__type ?? status)
      .split('#')
      .at(-1) ?? '';
  throw new AwsRefusal(code, String(answer.message ?? answer.Message ?? 'it was refused'));
}
