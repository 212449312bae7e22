// Who has signed a request for STS: GetCallerIdentity, which a machine signs and the gateway sends (AWS, STS API reference, version 2011-06-15).
import { Failure } from '../../../contract/failure.ts';
import { answerBytes } from '../answer-bytes.ts';
import { fetchReason } from '../fetch-reason.ts';
import { readXml } from './ec2.ts';

/** What is signed, beside its headers: all of it but those is the gateway's own. */
const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';
const TYPE = 'application/x-www-form-urlencoded; charset=utf-8';
const ANSWER_MOST_BYTES = 64 * 1024;
const ANSWER_MS = 10_000;

/** `endpoint`: the STS of a region; `headers`: signed. Throws Failure denied, unavailable. */
export async function callerIdentity(
  endpoint: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly account: string; readonly arn: string }> {
  const { status, ok, text } = await fetch(endpoint, {
    method: 'POST',
    headers: { ...headers, 'content-type': TYPE },
    body: BODY,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  })
    .then(async answer => ({
      status: answer.status,
      ok: answer.ok,
      text: (await answerBytes(answer, ANSWER_MOST_BYTES))?.toString() ?? '',
    }))
    .catch((error: unknown) => {
      throw new Failure('unavailable', `AWS cannot be asked who this machine is: ${fetchReason(error).slice(0, 200)}`);
    });
  const answer = readXml(text);
  if (!ok) {
    const error = answer?.one('Error');
    const why = `${error?.text('Code') || status}: ${(error?.text('Message') || 'it was refused').slice(0, 200)}`;
    throw status < 500
      ? new Failure('denied', `AWS does not take the request of this machine: ${why}`)
      : new Failure('unavailable', `AWS cannot be asked who this machine is: ${why}`);
  }
  const result = answer?.one('GetCallerIdentityResult');
  const [account, arn] = [result?.text('Account') ?? '', result?.text('Arn') ?? ''];
  if (!/^\d{12}$/.test(account) || arn.split(':')[4] !== account)
    throw new Failure('unavailable', 'AWS answered who this machine is, and nothing that can be read');
  return { account, arn };
}
