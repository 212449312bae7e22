// The schema that a role is completed from. Texts in languages of their own are the gateway's to read.
import { roleDocument } from '../../../contract/role-document.ts';

const any = (): void => undefined;
export const roleSchema = roleDocument({
  pattern: any,
  template: any,
  labelValue: any,
  labels: any,
  where: any,
  person: any,
  review: any,
});
