// What a new login rule begins with: a rule that is valid and changes nothing that people have.
export const NEW_LOGIN_RULE = `kind: login_rule
version: v1
metadata:
  name: new-rule
  description: What this rule is for
spec:
  # From the lowest to the highest; each rule is given what the one before made.
  priority: 0
  # The part of a mail address before the @ becomes a login as well.
  traits_expression: external.add("logins", strings.lower(email.local(external.email)))
`;
