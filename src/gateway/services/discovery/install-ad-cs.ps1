# Makes this domain controller a certification authority of its domain, so that its directory is reached over TLS (LDAPS, port 636).
# Not needed where the domain has one already. The machine starts anew at the end: with that it gets its certificate.
[CmdletBinding()]
param()
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

$principal = New-Object Security.Principal.WindowsPrincipal([Security.Principal.WindowsIdentity]::GetCurrent())
if (-not $principal.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
    throw 'Run this in a PowerShell that was started as administrator.'
}
Install-WindowsFeature -Name AD-Certificate -IncludeManagementTools | Out-Null
Import-Module ADCSDeployment
Install-AdcsCertificationAuthority -CAType EnterpriseRootCA -KeyLength 3072 -HashAlgorithmName SHA256 -Force | Out-Null
Restart-Computer -Force
