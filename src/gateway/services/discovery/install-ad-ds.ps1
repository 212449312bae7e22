# Makes this Windows Server the first domain controller of a new Active Directory forest. Not needed where there is a domain already.
# The machine starts anew at the end. Asks for the password of the directory services restore mode.
[CmdletBinding()]
param(
    # DNS name of the new domain, such as example.com.
    [Parameter(Mandatory = $true)]
    [ValidatePattern('^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$')]
    [string]$DomainName
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

$principal = New-Object Security.Principal.WindowsPrincipal([Security.Principal.WindowsIdentity]::GetCurrent())
if (-not $principal.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
    throw 'Run this in a PowerShell that was started as administrator.'
}
$password = Read-Host -Prompt 'Password of the directory services restore mode' -AsSecureString

Install-WindowsFeature -Name AD-Domain-Services -IncludeManagementTools | Out-Null
Import-Module ADDSDeployment
Install-ADDSForest -DomainName $DomainName -SafeModeAdministratorPassword $password -InstallDns -Force
