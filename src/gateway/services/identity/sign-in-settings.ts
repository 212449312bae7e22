// Whether passwords are accepted, and which connector comes first: kept once, read by whoever signs people in.
import type { SignInSettings } from '../../../contract/sign-in-settings.ts';
import type { Settings } from '../../store/store.ts';

const KEY = 'identity.sign_in';

export const readSignInSettings = async (settings: Pick<Settings, 'get'>): Promise<SignInSettings> =>
  ((await settings.get(KEY)) as SignInSettings | null) ?? { local: true, first: null };

export const writeSignInSettings = (settings: Pick<Settings, 'put'>, given: SignInSettings): Promise<void> =>
  settings.put(KEY, given);
