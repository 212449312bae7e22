import { accessActionNames } from '../../../contract/rights.ts';
import { usePage } from '../page.tsx';
import { Reached } from './Reached.tsx';
import { Reachers } from './Reachers.tsx';

/** What somebody may reach, or who may reach something: the address says which, as `?user=NAME` or `?target=ID`. Oneself without either. */
export default function Rights() {
  const { query, who } = usePage();
  const action = accessActionNames.find(name => name === query.action) ?? 'ssh';
  if (query.target !== undefined)
    return <Reachers key={`${action} ${query.target}`} action={action} target={query.target} />;
  const user = query.user ?? who?.userName ?? '';
  return <Reached key={`${action} ${user}`} action={action} user={user} />;
}
