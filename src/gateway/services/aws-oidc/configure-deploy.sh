# What the gateway writes above: role, integration, task_role.
fail() {
  printf 'postern: %s\n' "$*" >&2
  exit 1
}
command -v aws > /dev/null 2>&1 || fail 'the command line of AWS is missing: run this in AWS CloudShell'
aws iam get-role --role-name "$role" > /dev/null 2>&1 || fail "there is no role $role: enroll the AWS account first"

# The task needs no rights: it only keeps a tunnel open.
trust='{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ecs-tasks.amazonaws.com"},"Action":"sts:AssumeRole"}]}'
aws iam get-role --role-name "$task_role" > /dev/null 2>&1 ||
  aws iam create-role --role-name "$task_role" --assume-role-policy-document "$trust" \
    --description "Of the task that leads to databases, integration $integration" --tags "Key=postern/integration,Value=$integration" > /dev/null
task_arn=$(aws iam get-role --role-name "$task_role" --query Role.Arn --output text)
aws iam put-role-policy --role-name "$role" --policy-name postern-deploy --policy-document "$(cat << END
{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["ecs:CreateCluster","ecs:RegisterTaskDefinition","ecs:DescribeServices","ecs:CreateService","ecs:UpdateService","ecs:TagResource","iam:CreateServiceLinkedRole"],"Resource":"*"},{"Effect":"Allow","Action":"iam:PassRole","Resource":"$task_arn","Condition":{"StringEquals":{"iam:PassedToService":"ecs-tasks.amazonaws.com"}}}]}
END
)"
printf 'Done. Go on in the console.\n'
