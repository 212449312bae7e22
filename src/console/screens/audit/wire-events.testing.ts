// The wire's catalogue of audit events, by its groups: code, type, and the fields that an event's line must show. A session's id and a
// server's are left out: they say nothing to a reader, and stand in the event's details.
export const eventsOfTheWire = `
# access request
T5000I access_request.create id state
T5001I access_request.update id state
T5002I access_request.review id reviewer
T5003I access_request.delete id
T5004I access_request.search user resource_type search_as_roles
# app resource
TAP03I app.create user name
TAP04I app.update user name
TAP05I app.delete user name
# app session
T2007I app.session.start user app_name aws_role_arn
T2008I app.session.chunk user app_name
T2011I app.session.end user app_name
T2013I app.session.dynamodb.request user app_name target
T2009I app.session.request
# auth
T3007W auth user error
# auth: login
T1000I user.login user
T1000W user.login user error
T1001I user.login user
T1001W user.login error
T1010I user.login user
T1011W user.login error
# billing
TBL00I billing.create_card user
TBL01I billing.delete_card user
TBL02I billing.update_card user
TBL03I billing.update_info user
# certificate
TC000I cert.create cert_type identity.user
TCB00W cert.generation_mismatch
# connector: github
T8000I github.created user name
T8001I github.deleted user name
T8002I github.updated user name
# connector: oidc
T8100I oidc.created user name
T8101I oidc.deleted user name
T8102I oidc.updated user name
# connector: saml
T8200I saml.created user name
T8201I saml.deleted user name
T8202I saml.updated user name
# database resource
TDB03I db.create user name
TDB04I db.update user name
TDB05I db.delete user name
# database session
TDB00I db.session.start user db_service db_name db_user db_roles
TDB00W db.session.start user db_service db_name db_user
TDB01I db.session.end user db_service db_name
TDB02I db.session.query user db_service db_name db_query
TDB02W db.session.query.failed user db_service db_name db_query
TDB06I db.session.malformed_packet user db_service db_name
TDB07I db.session.permissions.update user db_service db_name permission_summary
TDB08I db.session.user.create user username roles error message
TDB08W db.session.user.create user username roles error message
TDB09I db.session.user.deactivate user username delete error message
TDB09W db.session.user.deactivate user username delete error message
# database: cassandra
TCA01I db.session.cassandra.batch user db_service
TCA02I db.session.cassandra.prepare user db_service query
TCA03I db.session.cassandra.execute user db_service
TCA04I db.session.cassandra.register user db_service
# database: dynamodb
TDY01E db.session.dynamodb.request user db_service target
TDY01I db.session.dynamodb.request user db_service target
# database: elasticsearch
TES00E db.session.elasticsearch.request category db_service path query target user
TES00I db.session.elasticsearch.request category db_service path query target user
# database: mysql
TMY00I db.session.mysql.statements.prepare user db_service db_name query
TMY01I db.session.mysql.statements.execute user db_service db_name statement_id
TMY02I db.session.mysql.statements.send_long_data user db_service db_name statement_id parameter_id data_size
TMY03I db.session.mysql.statements.close user db_service db_name statement_id
TMY04I db.session.mysql.statements.reset user db_service db_name statement_id
TMY05I db.session.mysql.statements.fetch user db_service db_name rows_count statement_id
TMY06I db.session.mysql.statements.bulk_execute user db_service db_name statement_id
TMY07I db.session.mysql.init_db user db_service schema_name
TMY08I db.session.mysql.create_db user db_service schema_name
TMY09I db.session.mysql.drop_db user db_service schema_name
TMY10I db.session.mysql.shut_down user db_service
TMY11I db.session.mysql.process_kill user db_service process_id
TMY12I db.session.mysql.debug user db_service
TMY13I db.session.mysql.refresh user db_service subcommand
# database: opensearch
TOS00E db.session.opensearch.request category db_service path query target user
TOS00I db.session.opensearch.request category db_service path query target user
# database: postgres
TPG00I db.session.postgres.statements.parse user db_service statement_name query
TPG01I db.session.postgres.statements.bind user db_service statement_name portal_name
TPG02I db.session.postgres.statements.execute user db_service portal_name
TPG03I db.session.postgres.statements.close user db_service portal_name statement_name
TPG04I db.session.postgres.function user db_service function_oid
# database: sqlserver
TMS00I db.session.sqlserver.rpc_request user db_service db_name proc_name
# desktop
TDP00I windows.desktop.session.start user windows_domain desktop_addr windows_user
TDP00W windows.desktop.session.start user windows_domain desktop_addr windows_user
TDP01I windows.desktop.session.end user windows_domain desktop_addr windows_user
TDP02I desktop.clipboard.send user desktop_addr length
TDP03I desktop.clipboard.receive user desktop_addr length
TDP04I desktop.directory.share user desktop_addr directory_name
TDP04W desktop.directory.share user desktop_addr directory_name
TDP05I desktop.directory.read user desktop_addr directory_name file_path length
TDP05W desktop.directory.read user desktop_addr directory_name file_path length
TDP06I desktop.directory.write user desktop_addr directory_name file_path length
TDP06W desktop.directory.write user desktop_addr directory_name file_path length
# device trust
TV001I device.create user status success
TV002I device.delete user status success
TV003I device.token.create user status success
TV004I device.token.spent user status success
TV005I device.enroll user status success
TV006I device.authenticate user status success
TV007I device.update user status success
# join
TJ001I bot.join bot_name method
TJ002I instance.join node_name role method
TJ001E bot.join bot_name method
TJ002E instance.join node_name role method
# kube
T3009I kube.request user kubernetes_cluster verb request_path response_code
T3010I kube.create user name
T3011I kube.update user name
T3012I kube.delete user name
# lock
TLK00I lock.created user name
TLK01I lock.deleted user name
# login rule
TLR00I login_rule.create user name
TLR01I login_rule.delete user name
# mfa
T1006I mfa.add user mfa_device_name mfa_device_type
T1007I mfa.delete user mfa_device_name mfa_device_type
T1015I mfa_auth_challenge.create user
T1016I mfa_auth_challenge.validate user
T1016W mfa_auth_challenge.validate user
# okta
TOK001I okta.groups.update added updated deleted
TOK002I okta.applications.update added updated deleted
TOK003E okta.sync.failure
TOK004E okta.assignment.process name source user
TOK004I okta.assignment.process name source user
TOK005E okta.assignment.cleanup name source user
TOK005I okta.assignment.cleanup name source user
TOK006E okta.access_list.sync
TOK006I okta.access_list.sync
TOK007E okta.user.sync num_users_created num_users_modified num_users_deleted
TOK007I okta.user.sync num_users_created num_users_modified num_users_deleted
# other
TCC00E unknown unknown_type unknown_code
# recovery codes
T1008I recovery_code.generated user
T1009I recovery_code.used user
T1009W recovery_code.used user
# role
T9000I role.created user name
T9001I role.deleted user name
T9002I role.updated user name
# saml idp
TSI000I saml.idp.auth user success service_provider_entity_id service_provider_shortcut
TSI001I saml.idp.service.provider.create updated_by name service_provider_entity_id
TSI001W saml.idp.service.provider.create updated_by name service_provider_entity_id
TSI002I saml.idp.service.provider.update updated_by name service_provider_entity_id
TSI002W saml.idp.service.provider.update updated_by name service_provider_entity_id
TSI003I saml.idp.service.provider.delete updated_by name service_provider_entity_id
TSI003W saml.idp.service.provider.delete updated_by name service_provider_entity_id
TSI004I saml.idp.service.provider.delete_all updated_by
TSI004W saml.idp.service.provider.delete updated_by
# scp
T3004E scp exitError server_hostname
T3004I scp user path server_hostname
T3005E scp exitError server_hostname
T3005I scp user path server_hostname
T3010E scp user
# session
T1006W session.rejected user login reason
T2000I session.start user
T2001I session.join user
T2002I resize user
T2003I session.leave user
T2004I session.end user kubernetes_cluster server_hostname
T2005I session.upload
T2006I session.data
T2010I session.connect server_addr
T2012I session.recording.access user
# session: enhanced recording
T4000I session.command program
T4001I session.disk path program
T4002I session.network action program src_addr dst_addr dst_port
T4003I session.process_exit program exit_status
# sftp
TS001E sftp user path error server_hostname
TS001I sftp user path server_hostname
TS002E sftp user path error server_hostname
TS002I sftp user path server_hostname
TS003E sftp user path error server_hostname
TS003I sftp user path server_hostname
TS004E sftp user path error server_hostname
TS004I sftp user path server_hostname
TS005E sftp user path error server_hostname
TS005I sftp user path server_hostname
TS006E sftp user path error server_hostname
TS006I sftp user path server_hostname
TS007E sftp user path error server_hostname
TS007I sftp user path server_hostname
TS008E sftp user path error server_hostname
TS008I sftp user path server_hostname
TS009E sftp user path error server_hostname
TS009I sftp user path server_hostname
TS010E sftp user path error server_hostname
TS010I sftp user path server_hostname
TS011E sftp user path error server_hostname
TS011I sftp user path server_hostname
TS012E sftp user path error server_hostname
TS012I sftp user path server_hostname
TS013E sftp user path error server_hostname
TS013I sftp user path server_hostname
TS014E sftp user path error server_hostname
TS014I sftp user path server_hostname
TS015E sftp user path error server_hostname
TS015I sftp user path server_hostname
TS016E sftp user path error server_hostname
TS016I sftp user path server_hostname
TS017E sftp user path error server_hostname
TS017I sftp user path server_hostname
TS018E sftp user path error server_hostname
TS018I sftp user path server_hostname
TS019E sftp
TS019I sftp
TS020E sftp user
# ssh
T3001E subsystem user name exitError
T3001I subsystem user name
T3002E exec user exitError server_hostname
T3002I exec user kubernetes_cluster server_hostname
T3003E port user error
T3003I port user
T3006I client.disconnect user reason
# ssm
TDS00I ssm.run account_id instance_id region command_id
TDS00W ssm.run account_id instance_id region command_id
# token
T6000I reset_password_token.create name user
T6001I recovery_token.create name
T6002I privilege_token.create name
TJT00I join_token.create user roles join_method
# trusted cluster
T7000I trusted_cluster.create user name
T7001I trusted_cluster.delete user name
T7002I trusted_cluster_token.create user
# upgrade window
TUW01I upgradewindowstart.update user upgrade_window_start
# user
T1002I user.create name
T1003I user.update name
T1004I user.delete name
T1005I user.password_change user
# x11
T3008I x11-forward user
T3008W x11-forward user
# access list
TAL001E access_list.create name updated_by
TAL001I access_list.create name updated_by
TAL002E access_list.update name updated_by
TAL002I access_list.update name updated_by
TAL003E access_list.delete name updated_by
TAL003I access_list.delete name updated_by
TAL004E access_list.review name updated_by
TAL004I access_list.review name updated_by
# access list member
TAL005E access_list.member.create access_list_name members updated_by
TAL005I access_list.member.create access_list_name members updated_by
TAL006E access_list.member.update access_list_name members updated_by
TAL006I access_list.member.update access_list_name members updated_by
TAL007E access_list.member.delete access_list_name members updated_by
TAL007I access_list.member.delete access_list_name members updated_by
TAL008E access_list.member.delete_all_for_access_list access_list_name updated_by
TAL008I access_list.member.delete_all_for_access_list access_list_name updated_by
# auth: login (headless)
T1012I user.login user
T1013I user.login user
T1013W user.login user error
T1014W user.login user
# security report
SRE001I secreports.audit.query.run user query
SRE002I secreports.report.run user name
SRE003I secreports.report.get.result user name
# bot
TB001I bot.create user name
TB002I bot.update user name
TB003I bot.delete user name
`;
