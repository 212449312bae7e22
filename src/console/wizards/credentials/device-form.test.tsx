// What is asked of a new device by each setting: by an invitation and a reset alike, and in the account, where nobody adds none.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { WebConfig } from '../../../contract/config.ts';
import { DeviceForm } from './DeviceForm.tsx';
import { methodsOf } from './methods.ts';

/** The questions of the form as it is first shown, and the answers that there are. */
function asked(setting: WebConfig['auth']['second_factor'], place: 'link' | 'account'): string {
  const methods = methodsOf(setting).filter(method => place === 'link' || method !== 'None');
  const html = renderToStaticMarkup(
    <DeviceForm
      methods={methods}
      asksPasswordless={place === 'account'}
      busy={false}
      problem=""
      secret={() => Promise.reject(new Error('not asked'))}
      onChoose={() => undefined}
      onDevice={() => undefined}
    />,
  );
  const found = html.matchAll(/<label[^>]*>([^<]*)<|<option(?! value)[^>]*>([^<]*)<|value="([^"]*-device)"/g);
  return [...found].map(([, label, option, name]) => label ?? option ?? name).join(', ');
}

const key = 'Device Name, webauthn-device';
const passwordless = 'Allow Passwordless?, No, use it beside the password, Yes, sign in with it alone';
// Rule 4: each method has its own default name of a device
test.each<[WebConfig['auth']['second_factor'], string, string]>([
  [
    'on',
    `Two-Factor Method, Hardware Key, Authenticator App, ${key}`,
    `Two-Factor Method, Hardware Key, Authenticator App, ${passwordless}, ${key}`,
  ],
  [
    'optional',
    `Two-Factor Method, Hardware Key, Authenticator App, None, ${key}`,
    `Two-Factor Method, Hardware Key, Authenticator App, ${passwordless}, ${key}`,
  ],
  ['otp', 'Device Name, otp-device, Authenticator Code', 'Device Name, otp-device, Authenticator Code'],
  ['webauthn', key, `${passwordless}, ${key}`],
])('where the second factor is %s', (setting, byLink, inAccount) => {
  expect([asked(setting, 'link'), asked(setting, 'account')]).toEqual([byLink, inAccount]);
});
