import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { missingRule, ruleIn } from '../../features/reach.ts';
import { fakeStorage } from './fakes.testing.ts';
import { NoticeList } from './NoticeList.tsx';
import { createNotices } from './notices.ts';
import { createSessionFactors } from './session-factors.ts';

test('a refusal for want of a rule links to what explains it, and nothing else does', () => {
  const notices = createNotices({ storage: fakeStorage(), here: () => '/web', later: () => undefined });
  notices.notify(missingRule('roles', 'edit', 'roles'), '');
  notices.notify('Copied', '');
  const drawn = renderToStaticMarkup(
    <NoticeList
      notices={notices}
      factors={createSessionFactors()}
      copyText={async () => undefined}
      whyOf={text => {
        const rule = ruleIn(text);
        return rule && `/why?${rule.action}+${rule.target}`;
      }}
    />,
  );
  expect(drawn.match(/<a href="[^"]*">[^<]*/g)).toEqual(['<a href="/why?update+role">Why?']);
});
