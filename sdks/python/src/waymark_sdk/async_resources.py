"""The operations of the API. Made by npm run generate."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal

from . import inputs, models
from ._pages import AsyncPages
from ._request import OMITTED, Content, Omitted, Request, etag, new_key, segment
from ._async_transport import AsyncTransport


class AsyncApiKeys:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        service_account_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListApiKeysResult, models.ApiKey]:
        """The API keys of a workspace, newest first; never their plaintext.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return self._transport.pages(models.ListApiKeysResult, models.ApiKey, "data", Request(
            "GET",
            "/api-keys",
            query={"workspaceId": workspace_id, "serviceAccountId": service_account_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[Literal["read", "write"] | str] | Omitted = OMITTED,
        expires_at: str | None | Omitted = OMITTED,
        allowed_ips: Sequence[str] | Omitted = OMITTED,
        service_account_id: str | Omitted = OMITTED,
        changes_settings: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ApiKeyWithSecret:
        """Create an API key, of a service account or without a role; only this answer has the plaintext.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.ApiKeyWithSecret, Request(
            "POST",
            "/api-keys",
            query={"workspaceId": workspace_id},
            body={"name": name, "scopes": scopes, "expires_at": expires_at, "allowed_ips": allowed_ips, "service_account_id": service_account_id, "changes_settings": changes_settings},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def rotate(
        self,
        id: str,
        *,
        overlap_seconds: int | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ApiKeyWithSecret:
        """Replace an API key; the old one stays valid for the overlap.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.ApiKeyWithSecret, Request(
            "POST",
            f"/api-keys/{segment(id)}/rotate",
            query={"workspaceId": workspace_id},
            body={"overlap_seconds": overlap_seconds},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def revoke(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> None:
        """Revoke an API key, immediately and everywhere.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/api-keys/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))


class AsyncApprovalRules:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        workspace_id: str | None = None,
        if_none_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.ApprovalRules:
        """How many approvals decisions need, and of whom.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.ApprovalRules, Request(
            "GET",
            "/approval-rules",
            query={"workspaceId": workspace_id},
            headers={"If-None-Match": etag(if_none_match)},
            timeout=timeout,
        ))

    async def put(
        self,
        *,
        rules: Sequence[inputs.ApprovalRuleInput],
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.ApprovalRules:
        """Set the rules of approvals; without rules nothing needs any.

        The rule of its type counts for a decision, else the rule without a type. Scope: write. API
        keys: only those of a service account. Least role of a session or service account: admin. Rate
        bucket: mutation.
        """
        return await self._transport.call(models.ApprovalRules, Request(
            "PUT",
            "/approval-rules",
            query={"workspaceId": workspace_id},
            body={"rules": rules},
            headers={"If-Match": etag(if_match)},
            timeout=timeout,
        ))


class AsyncAuditLog:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        action: Literal["api_key.create", "api_key.revoke", "api_key.rotate", "audit_log.export", "calendar_feed.create", "calendar_feed.revoke", "decision.abstain", "decision.approval_request", "decision.approval_void", "decision.approve", "decision.create", "decision.delete", "decision.export", "decision.forecast", "decision.object", "decision.restore", "decision.review", "decision.update", "delivery.replay", "edge.create", "edge.delete", "invitation.accept", "invitation.create", "invitation.revoke", "member.add", "member.remove", "member.update", "node.create", "node.delete", "node.restore", "node.update", "service_account.create", "service_account.delete", "service_account.update", "thread.message_create", "thread.message_delete", "thread.message_react", "thread.message_reopen", "thread.message_resolve", "thread.message_unreact", "thread.message_restore", "thread.message_update", "user.create", "user.email_change", "user.erase", "user.identity_link", "user.passkey_add", "user.passkey_remove", "user.passkey_update", "user.password_change", "user.recover_password", "user.recovery_codes_renew", "user.session_end", "user.sign_in", "user.sign_out", "user.sign_up", "user.totp_add", "user.totp_remove", "user.update", "view.share", "view.unshare", "webhook.create", "webhook.delete", "webhook.disable", "webhook.replay", "webhook.rotate_secret", "webhook.test", "webhook.update", "workflow.create", "workflow.delete", "workflow.graph_replace", "workflow.restore", "workflow.update", "workspace.approval_rules", "workspace.create", "workspace.delete", "workspace.export", "workspace.export_madr", "workspace.import", "workspace.import_check", "workspace.plan_change", "workspace.update"] | str | None = None,
        resource_type: Literal["api_key", "audit_log", "calendar_feed", "decision", "delivery", "edge", "import", "invitation", "member", "message", "node", "service_account", "user", "view", "webhook", "workflow", "workspace"] | str | None = None,
        resource_id: str | None = None,
        actor: str | None = None,
        ip: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListAuditLogResult, models.AuditEntry]:
        """Audit entries, newest first.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListAuditLogResult, models.AuditEntry, "data", Request(
            "GET",
            "/audit-log",
            query={"workspaceId": workspace_id, "action": action, "resourceType": resource_type, "resourceId": resource_id, "actor": actor, "ip": ip, "createdFrom": created_from, "createdTo": created_to, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def facets(self, *, workspace_id: str | None = None, timeout: float | None = None) -> models.AuditFacets:
        """The actions, kinds of records and actors of the newest 2000 entries, with counts, and how long
        entries are kept.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.AuditFacets, Request(
            "GET",
            "/audit-log/facets",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    def export(self, *, workspace_id: str | None = None, timeout: float | None = None) -> AsyncIterator[bytes]:
        """The whole chain, oldest first, as NDJSON; the first line is its checkpoint, if any, the last its
        signed head.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: export.
        """
        return self._transport.stream(Request(
            "GET",
            "/audit-log/export",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def verify(self, *, workspace_id: str | None = None, timeout: float | None = None) -> models.AuditVerification:
        """Recompute the chain and check its signed head.

        The head is also compared with its copy outside the database. While that store (NATS) is away,
        the answer is SERVICE_UNAVAILABLE. Scope: read. Least role of a session or service account:
        viewer. Rate bucket: export.
        """
        return await self._transport.call(models.AuditVerification, Request(
            "GET",
            "/audit-log/verify",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))


class AsyncAuth:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def sign_up(
        self,
        *,
        email: str,
        password: str,
        name: str,
        invitation: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.SignedIn:
        """Create a user with a first workspace, and sign in.

        Rate bucket: mutation.
        """
        return await self._transport.call(models.SignedIn, Request(
            "POST",
            "/auth/sign-up",
            body={"email": email, "password": password, "name": name, "invitation": invitation},
            timeout=timeout,
        ))

    async def sign_in(
        self,
        *,
        email: str,
        password: str,
        code: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.SignedIn:
        """Sign in; the session travels in a cookie.

        For a user with an authenticator app, the right password without a code is
        SECOND_FACTOR_REQUIRED. Rate bucket: mutation.
        """
        return await self._transport.call(models.SignedIn, Request(
            "POST",
            "/auth/sign-in",
            body={"email": email, "password": password, "code": code},
            timeout=timeout,
        ))

    async def start_passkey_sign_in(self, *, timeout: float | None = None) -> models.PasskeyRequestOptions:
        """Options for the browser, to sign in with a passkey.

        Valid for five minutes. Where browsers allow no passkeys, it is NOT_FOUND. Rate bucket:
        mutation.
        """
        return await self._transport.call(models.PasskeyRequestOptions, Request("POST", "/auth/sign-in/passkey/options", timeout=timeout))

    async def sign_in_with_passkey(
        self,
        *,
        credential_id: str,
        client_data: str,
        authenticator_data: str,
        signature: str,
        user_handle: str,
        timeout: float | None = None,
    ) -> models.SignedIn:
        """Sign in with the browser’s answer; the session travels in a cookie.

        An answer works once. Rate bucket: mutation.
        """
        return await self._transport.call(models.SignedIn, Request(
            "POST",
            "/auth/sign-in/passkey",
            body={"credential_id": credential_id, "client_data": client_data, "authenticator_data": authenticator_data, "signature": signature, "user_handle": user_handle},
            timeout=timeout,
        ))

    async def sign_in_methods(self, *, timeout: float | None = None) -> models.SignInMethods:
        """The ways to sign in, whether sign-up is possible, and who may change plans.

        Rate bucket: read.
        """
        return await self._transport.call(models.SignInMethods, Request("GET", "/auth/methods", timeout=timeout))

    async def start_oidc(self, *, return_to: str | None = None, timeout: float | None = None) -> str:
        """Start single sign-on: redirects the browser to the identity provider.

        From a link of the console. A browser that comes from elsewhere is sent to the sign-in page, so
        that no other site starts a sign-in. Rate bucket: mutation.
        """
        return await self._transport.location(Request(
            "GET",
            "/auth/oidc/start",
            query={"returnTo": return_to},
            timeout=timeout,
        ))

    async def finish_oidc(self, *, timeout: float | None = None) -> str:
        """The address to which the identity provider redirects the browser.

        Redirects to the console, signed in, or to its sign-in page with sso_error: expired, refused,
        email, domain, closed, password or unavailable. Rate bucket: mutation.
        """
        return await self._transport.location(Request("GET", "/auth/oidc/callback", timeout=timeout))

    async def sign_out(self, *, timeout: float | None = None) -> None:
        """End this session.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request("POST", "/auth/sign-out", timeout=timeout))

    async def self(
        self,
        *,
        include: str | Sequence[Literal["sign_in_methods", "sessions", "grants", "passkeys", "totp"] | str] | None = None,
        timeout: float | None = None,
    ) -> models.SignedInWithParts:
        """The signed-in user, with the workspaces of which the user is a member.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return await self._transport.call(models.SignedInWithParts, Request("GET", "/auth/me", query={"include": include}, timeout=timeout))

    async def update_self(
        self,
        *,
        name: str | Omitted = OMITTED,
        language: Literal["en", "de"] | str | Omitted = OMITTED,
        density: Literal["comfortable", "compact"] | str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.User:
        """Change the user’s name, which all workspaces show, or the language of mails to the user.

        What the user did before keeps the name of that time, such as messages and entries of the audit
        log. API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.User, Request(
            "PATCH",
            "/auth/me",
            body={"name": name, "language": language, "density": density},
            timeout=timeout,
        ))

    async def change_password(
        self,
        *,
        new_password: str,
        current_password: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> None:
        """Change the password, or set a first one; every other session, the calendar feeds and the access
        of programs end.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "POST",
            "/auth/password",
            body={"current_password": current_password, "new_password": new_password},
            timeout=timeout,
        ))

    async def request_password_reset(self, *, email: str, timeout: float | None = None) -> None:
        """Ask for a mail with a link to set a new password.

        The answer is the same whether or not the address has an account. Where the installation sends
        no mail, it is NOT_FOUND. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "POST",
            "/auth/password/forgot",
            body={"email": email},
            timeout=timeout,
        ))

    async def reset_password(self, *, token: str, new_password: str, timeout: float | None = None) -> None:
        """Set a new password with the token of a mailed link; sessions, passkeys, calendar feeds and the
        access of programs end.

        A token works once, within 30 minutes after its mail was sent. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "POST",
            "/auth/password/reset",
            body={"token": token, "new_password": new_password},
            timeout=timeout,
        ))

    async def change_email(self, *, email: str, current_password: str, timeout: float | None = None) -> None:
        """Ask for a mail to a new address, with a link that makes it the user’s.

        The answer does not say whether the address has an account. Where the installation sends no
        mail, it is NOT_FOUND. API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "POST",
            "/auth/email",
            body={"email": email, "current_password": current_password},
            timeout=timeout,
        ))

    async def confirm_email(self, *, token: str, timeout: float | None = None) -> None:
        """Change the e-mail address with the token of a mailed link; the old address is told.

        A token works once, within 30 minutes after its mail was sent. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request("POST", "/auth/email/confirm", body={"token": token}, timeout=timeout))

    async def sessions(self, *, timeout: float | None = None) -> models.ListSessionsResult:
        """The user’s sessions, newest first.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return await self._transport.call(models.ListSessionsResult, Request("GET", "/auth/sessions", timeout=timeout))

    async def end_session(self, id: str, *, timeout: float | None = None) -> None:
        """End one of the user’s sessions.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request("DELETE", f"/auth/sessions/{segment(id)}", timeout=timeout))

    async def grant_request(self, *, client_id: str, redirect_uri: str, timeout: float | None = None) -> models.GrantRequest:
        """The program that asks for access, for the page that asks the person.

        clientId is the address of the program’s metadata, which is read from there, or one from POST
        /oauth/register. An unknown program, or an address that it has not registered, is
        VALIDATION_ERROR. API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.GrantRequest, Request(
            "GET",
            "/auth/grant-request",
            query={"clientId": client_id, "redirectUri": redirect_uri},
            timeout=timeout,
        ))

    async def create_grant(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        code_challenge: str,
        code_challenge_method: Literal["S256"] | str,
        scopes: Sequence[Literal["read", "write"] | str],
        resource: str | Omitted = OMITTED,
        state: str | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.GrantCreated:
        """Give a program access to a workspace through the MCP server.

        The answer has the address to which the browser returns, with a code that the program exchanges
        at /oauth/token within a minute. API keys: none; it needs a session. Least role of a session or
        service account: viewer. Rate bucket: mutation.
        """
        return await self._transport.call(models.GrantCreated, Request(
            "POST",
            "/auth/grants",
            query={"workspaceId": workspace_id},
            body={"client_id": client_id, "redirect_uri": redirect_uri, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "resource": resource, "state": state, "scopes": scopes},
            timeout=timeout,
        ))

    async def grants(self, *, timeout: float | None = None) -> models.ListGrantsResult:
        """The programs that the user has given access, newest first.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return await self._transport.call(models.ListGrantsResult, Request("GET", "/auth/grants", timeout=timeout))

    async def revoke_grant(self, id: str, *, timeout: float | None = None) -> None:
        """End the access of a program, immediately and everywhere.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request("DELETE", f"/auth/grants/{segment(id)}", timeout=timeout))

    async def preview_device_login(self, *, user_code: str, timeout: float | None = None) -> models.DeviceLogin:
        """The command line that shows a code, for the page that asks the person.

        A POST, so that the code is in no address and no log. The command line begins at
        /oauth/device_authorization (RFC 8628). Ten wrong codes in 15 minutes are RATE_LIMITED. API
        keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.DeviceLogin, Request(
            "POST",
            "/auth/device",
            body={"user_code": user_code},
            timeout=timeout,
        ))

    async def allow_device_login(
        self,
        *,
        user_code: str,
        changes_settings: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.ApiKey:
        """Create the API key for which a command line asks; it fetches the plaintext at /oauth/token.

        API keys: none; it needs a session. Least role of a session or service account: admin. Rate
        bucket: mutation.
        """
        return await self._transport.call(models.ApiKey, Request(
            "POST",
            "/auth/device/allow",
            query={"workspaceId": workspace_id},
            body={"user_code": user_code, "changes_settings": changes_settings},
            timeout=timeout,
        ))

    async def decline_device_login(self, *, user_code: str, timeout: float | None = None) -> None:
        """Decline what a command line asks for; its code no longer works.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "POST",
            "/auth/device/decline",
            body={"user_code": user_code},
            timeout=timeout,
        ))

    async def passkeys(self, *, timeout: float | None = None) -> models.ListPasskeysResult:
        """The user’s passkeys, oldest first.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return await self._transport.call(models.ListPasskeysResult, Request("GET", "/auth/passkeys", timeout=timeout))

    async def add_passkey(
        self,
        *,
        name: str,
        client_data: str,
        attestation_object: str,
        transports: Sequence[str] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.Passkey:
        """Add the passkey that the browser has created.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.Passkey, Request(
            "POST",
            "/auth/passkeys",
            body={"name": name, "client_data": client_data, "attestation_object": attestation_object, "transports": transports},
            timeout=timeout,
        ))

    async def start_passkey(
        self,
        *,
        current_password: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.PasskeyCreationOptions:
        """Options for the browser, to create a passkey.

        Valid for five minutes, in this session. Where browsers allow no passkeys, it is NOT_FOUND. API
        keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.PasskeyCreationOptions, Request(
            "POST",
            "/auth/passkeys/options",
            body={"current_password": current_password},
            timeout=timeout,
        ))

    async def update_passkey(self, id: str, *, name: str | Omitted = OMITTED, timeout: float | None = None) -> models.Passkey:
        """Rename a passkey.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.Passkey, Request(
            "PATCH",
            f"/auth/passkeys/{segment(id)}",
            body={"name": name},
            timeout=timeout,
        ))

    async def remove_passkey(
        self,
        id: str,
        *,
        current_password: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> None:
        """Remove a passkey; it no longer signs in.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "POST",
            f"/auth/passkeys/{segment(id)}/remove",
            body={"current_password": current_password},
            timeout=timeout,
        ))

    async def totp(self, *, timeout: float | None = None) -> models.Totp:
        """Whether the user has an authenticator app, and how many recovery codes are left.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return await self._transport.call(models.Totp, Request("GET", "/auth/totp", timeout=timeout))

    async def add_totp(self, *, enrolment: str, code: str, timeout: float | None = None) -> models.RecoveryCodes:
        """Add the authenticator app that shows this code; every other session ends.

        From then on, the password signs in with a code only. Only this answer has the recovery codes.
        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.RecoveryCodes, Request(
            "POST",
            "/auth/totp",
            body={"enrolment": enrolment, "code": code},
            timeout=timeout,
        ))

    async def start_totp(
        self,
        *,
        current_password: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.TotpEnrolment:
        """A new secret for an authenticator app (TOTP, RFC 6238); only this answer has it.

        Stored only once a code of the app confirms it, within ten minutes, in this session. Single
        sign-on never asks for codes, so the user needs a password. API keys: none; it needs a session.
        Rate bucket: mutation.
        """
        return await self._transport.call(models.TotpEnrolment, Request(
            "POST",
            "/auth/totp/options",
            body={"current_password": current_password},
            timeout=timeout,
        ))

    async def renew_recovery_codes(
        self,
        *,
        current_password: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.RecoveryCodes:
        """Replace the recovery codes; only this answer has the new ones.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.RecoveryCodes, Request(
            "POST",
            "/auth/totp/recovery-codes",
            body={"current_password": current_password},
            timeout=timeout,
        ))

    async def remove_totp(
        self,
        *,
        current_password: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> None:
        """Remove the authenticator app with its recovery codes; every other session ends.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "POST",
            "/auth/totp/remove",
            body={"current_password": current_password},
            timeout=timeout,
        ))

    async def preview_invitation(self, *, token: str, timeout: float | None = None) -> models.InvitationPreview:
        """Show an invitation before it is accepted.

        A POST, so that the token is in no address and no log. Rate bucket: read.
        """
        return await self._transport.call(models.InvitationPreview, Request("POST", "/auth/invitation", body={"token": token}, timeout=timeout))


class AsyncChangelog:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, *, timeout: float | None = None) -> models.Changelog:
        """What changed in the public interface.

        Rate bucket: read.
        """
        return await self._transport.call(models.Changelog, Request("GET", "/changelog", timeout=timeout))


class AsyncDecisions:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        status: str | Sequence[Literal["proposed", "accepted", "rejected", "archived"] | str] | None = None,
        outcome: str | Sequence[Literal["pending", "success", "partial", "failure", "abandoned"] | str] | None = None,
        tag: str | None = None,
        tags: str | Sequence[str] | None = None,
        decision_type: str | None = None,
        author: str | Sequence[str] | None = None,
        text: str | None = None,
        overdue: bool | None = None,
        external_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_from: str | None = None,
        expected_from: str | None = None,
        expected_to: str | None = None,
        waiting_for: str | None = None,
        sort: Literal["created_at", "-created_at", "updated_at", "-updated_at", "quality_score", "-quality_score", "expected_by", "-expected_by", "title", "-title"] | str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListDecisionsResult, models.Decision]:
        """List decisions, newest first.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListDecisionsResult, models.Decision, "decisions", Request(
            "GET",
            "/decisions",
            query={"workspaceId": workspace_id, "status": status, "outcome": outcome, "tag": tag, "tags": tags, "decisionType": decision_type, "author": author, "text": text, "overdue": overdue, "externalId": external_id, "createdFrom": created_from, "createdTo": created_to, "updatedFrom": updated_from, "expectedFrom": expected_from, "expectedTo": expected_to, "waitingFor": waiting_for, "sort": sort, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        title: str | Omitted = OMITTED,
        question: str | None | Omitted = OMITTED,
        description: str | Omitted = OMITTED,
        status: Literal["proposed", "accepted", "rejected"] | str | Omitted = OMITTED,
        resolution: str | None | Omitted = OMITTED,
        rationale: str | None | Omitted = OMITTED,
        options_considered: Sequence[str | inputs.DecisionCreateOptionsConsidered] | Omitted = OMITTED,
        criteria: Sequence[str] | Omitted = OMITTED,
        decision_type: str | None | Omitted = OMITTED,
        tags: Sequence[str] | Omitted = OMITTED,
        expected_by: str | None | Omitted = OMITTED,
        review_by: str | None | Omitted = OMITTED,
        review_every_months: int | None | Omitted = OMITTED,
        decided_by: str | None | Omitted = OMITTED,
        deciders: Sequence[str] | Omitted = OMITTED,
        consulted: Sequence[str] | Omitted = OMITTED,
        informed: Sequence[str] | Omitted = OMITTED,
        outcome: Literal["pending", "success", "partial", "failure", "abandoned"] | str | Omitted = OMITTED,
        outcome_notes: str | None | Omitted = OMITTED,
        outcome_confidence: int | float | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        supersedes: str | None | Omitted = OMITTED,
        relates_to: Sequence[str] | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Decision:
        """Log a decision; the answer has its quality score.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Decision, Request(
            "POST",
            "/decisions",
            query={"workspaceId": workspace_id},
            body={"title": title, "question": question, "description": description, "status": status, "resolution": resolution, "rationale": rationale, "options_considered": options_considered, "criteria": criteria, "decision_type": decision_type, "tags": tags, "expected_by": expected_by, "review_by": review_by, "review_every_months": review_every_months, "decided_by": decided_by, "deciders": deciders, "consulted": consulted, "informed": informed, "outcome": outcome, "outcome_notes": outcome_notes, "outcome_confidence": outcome_confidence, "external_id": external_id, "supersedes": supersedes, "relates_to": relates_to},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    def export_csv(
        self,
        *,
        workspace_id: str | None = None,
        ids: str | Sequence[str] | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[bytes]:
        """All decisions as CSV.

        An apostrophe stands before what a spreadsheet could read as a formula: at the start of a cell,
        and after a semicolon, tab or line end in it. Scope: read. Least role of a session or service
        account: viewer. Rate bucket: export.
        """
        return self._transport.stream(Request(
            "GET",
            "/decisions/export-csv",
            query={"workspaceId": workspace_id, "ids": ids},
            timeout=timeout,
        ))

    async def facets(
        self,
        *,
        workspace_id: str | None = None,
        status: str | Sequence[Literal["proposed", "accepted", "rejected", "archived"] | str] | None = None,
        outcome: str | Sequence[Literal["pending", "success", "partial", "failure", "abandoned"] | str] | None = None,
        tag: str | None = None,
        tags: str | Sequence[str] | None = None,
        decision_type: str | None = None,
        author: str | Sequence[str] | None = None,
        text: str | None = None,
        overdue: bool | None = None,
        external_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_from: str | None = None,
        expected_from: str | None = None,
        expected_to: str | None = None,
        timeout: float | None = None,
    ) -> models.DecisionFacets:
        """How many decisions match the filters, and the tags, types and authors to filter by.

        The counts of tags, types and authors leave out the filter of the same name. Up to 200 of each,
        most frequent first. Counts may be 5 s old. Scope: read. Least role of a session or service
        account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.DecisionFacets, Request(
            "GET",
            "/decisions/facets",
            query={"workspaceId": workspace_id, "status": status, "outcome": outcome, "tag": tag, "tags": tags, "decisionType": decision_type, "author": author, "text": text, "overdue": overdue, "externalId": external_id, "createdFrom": created_from, "createdTo": created_to, "updatedFrom": updated_from, "expectedFrom": expected_from, "expectedTo": expected_to},
            timeout=timeout,
        ))

    def deleted(
        self,
        *,
        workspace_id: str | None = None,
        deleted_from: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListDeletedDecisionsResult, models.DeletedDecision]:
        """The decisions that were deleted in the last 60 days, oldest deletion first.

        A decision that an import has restored is not among them. Scope: read. Least role of a session
        or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListDeletedDecisionsResult, models.DeletedDecision, "data", Request(
            "GET",
            "/decisions/deleted",
            query={"workspaceId": workspace_id, "deletedFrom": deleted_from, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    def trashed(
        self,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListTrashedDecisionsResult, models.TrashedRecord]:
        """The deleted decisions that can be restored, for 30 days, latest deletion first.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListTrashedDecisionsResult, models.TrashedRecord, "data", Request(
            "GET",
            "/decisions/trash",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def get(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        include: str | Sequence[Literal["quality", "outcomes", "approvals", "forecasts", "history", "links"] | str] | None = None,
        if_none_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.DecisionWithParts:
        """Read a decision.

        With include, the response has no ETag: parts change without the decision. Scope: read. Least
        role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.DecisionWithParts, Request(
            "GET",
            f"/decisions/{segment(id)}",
            query={"workspaceId": workspace_id, "include": include},
            headers={"If-None-Match": etag(if_none_match)},
            timeout=timeout,
        ))

    async def update(
        self,
        id: str,
        *,
        title: str | Omitted = OMITTED,
        question: str | None | Omitted = OMITTED,
        description: str | Omitted = OMITTED,
        status: Literal["proposed", "accepted", "rejected", "archived"] | str | Omitted = OMITTED,
        resolution: str | None | Omitted = OMITTED,
        rationale: str | None | Omitted = OMITTED,
        options_considered: Sequence[str | inputs.DecisionCreateOptionsConsidered] | Omitted = OMITTED,
        criteria: Sequence[str] | Omitted = OMITTED,
        decision_type: str | None | Omitted = OMITTED,
        tags: Sequence[str] | Omitted = OMITTED,
        expected_by: str | None | Omitted = OMITTED,
        review_by: str | None | Omitted = OMITTED,
        review_every_months: int | None | Omitted = OMITTED,
        decided_by: str | None | Omitted = OMITTED,
        deciders: Sequence[str] | Omitted = OMITTED,
        consulted: Sequence[str] | Omitted = OMITTED,
        informed: Sequence[str] | Omitted = OMITTED,
        outcome: Literal["pending", "success", "partial", "failure", "abandoned"] | str | Omitted = OMITTED,
        outcome_notes: str | None | Omitted = OMITTED,
        outcome_confidence: int | float | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        supersedes: str | None | Omitted = OMITTED,
        relates_to: Sequence[str] | Omitted = OMITTED,
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.Decision:
        """Change a decision or log its outcome.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Decision, Request(
            "PATCH",
            f"/decisions/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"title": title, "question": question, "description": description, "status": status, "resolution": resolution, "rationale": rationale, "options_considered": options_considered, "criteria": criteria, "decision_type": decision_type, "tags": tags, "expected_by": expected_by, "review_by": review_by, "review_every_months": review_every_months, "decided_by": decided_by, "deciders": deciders, "consulted": consulted, "informed": informed, "outcome": outcome, "outcome_notes": outcome_notes, "outcome_confidence": outcome_confidence, "external_id": external_id, "supersedes": supersedes, "relates_to": relates_to},
            headers={"If-Match": etag(if_match)},
            timeout=timeout,
        ))

    async def delete(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        timeout: float | None = None,
    ) -> None:
        """Delete a decision with its outcomes, approvals and thread.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/decisions/{segment(id)}",
            query={"workspaceId": workspace_id},
            headers={"If-Match": etag(if_match)},
            timeout=timeout,
        ))

    async def restore(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Decision:
        """Restore a deleted decision with its outcomes, approvals, forecasts, history and thread.

        The events say that it was created, with a version after that of the deletion. A record that was
        restored already is answered as it is. Scope: write. Least role of a session or service account:
        member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Decision, Request(
            "POST",
            f"/decisions/{segment(id)}/restore",
            query={"workspaceId": workspace_id},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def put_by_external_id(
        self,
        external_id: str,
        *,
        title: str | Omitted = OMITTED,
        question: str | None | Omitted = OMITTED,
        description: str | Omitted = OMITTED,
        status: Literal["proposed", "accepted", "rejected", "archived"] | str | Omitted = OMITTED,
        resolution: str | None | Omitted = OMITTED,
        rationale: str | None | Omitted = OMITTED,
        options_considered: Sequence[str | inputs.DecisionCreateOptionsConsidered] | Omitted = OMITTED,
        criteria: Sequence[str] | Omitted = OMITTED,
        decision_type: str | None | Omitted = OMITTED,
        tags: Sequence[str] | Omitted = OMITTED,
        expected_by: str | None | Omitted = OMITTED,
        review_by: str | None | Omitted = OMITTED,
        review_every_months: int | None | Omitted = OMITTED,
        decided_by: str | None | Omitted = OMITTED,
        deciders: Sequence[str] | Omitted = OMITTED,
        consulted: Sequence[str] | Omitted = OMITTED,
        informed: Sequence[str] | Omitted = OMITTED,
        outcome: Literal["pending", "success", "partial", "failure", "abandoned"] | str | Omitted = OMITTED,
        outcome_notes: str | None | Omitted = OMITTED,
        outcome_confidence: int | float | None | Omitted = OMITTED,
        supersedes: str | None | Omitted = OMITTED,
        relates_to: Sequence[str] | Omitted = OMITTED,
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        if_none_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.Decision:
        """Create the decision with an external id, or change it.

        A repeat with the same fields changes nothing: no version, no event and no audit entry. Scope:
        write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Decision, Request(
            "PUT",
            f"/decisions/by-external-id/{segment(external_id)}",
            query={"workspaceId": workspace_id},
            body={"title": title, "question": question, "description": description, "status": status, "resolution": resolution, "rationale": rationale, "options_considered": options_considered, "criteria": criteria, "decision_type": decision_type, "tags": tags, "expected_by": expected_by, "review_by": review_by, "review_every_months": review_every_months, "decided_by": decided_by, "deciders": deciders, "consulted": consulted, "informed": informed, "outcome": outcome, "outcome_notes": outcome_notes, "outcome_confidence": outcome_confidence, "supersedes": supersedes, "relates_to": relates_to},
            headers={"If-Match": etag(if_match), "If-None-Match": etag(if_none_match)},
            timeout=timeout,
        ))

    def outcomes(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListDecisionOutcomesResult, models.Outcome]:
        """Every outcome logged for a decision, newest first.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListDecisionOutcomesResult, models.Outcome, "data", Request(
            "GET",
            f"/decisions/{segment(id)}/outcomes",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def quality(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> models.Quality:
        """The components of the quality score, and ways to raise it.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.Quality, Request(
            "GET",
            f"/decisions/{segment(id)}/quality",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    def history(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListDecisionHistoryResult, models.DecisionHistoryEntry]:
        """Every version of a decision with what changed, newest first.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListDecisionHistoryResult, models.DecisionHistoryEntry, "data", Request(
            "GET",
            f"/decisions/{segment(id)}/history",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def links(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.DecisionLinks:
        """Decisions that this one supersedes, is superseded by, or relates to.

        A page counts linked decisions; a decision with two kinds of links has two entries. Scope: read.
        Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.DecisionLinks, Request(
            "GET",
            f"/decisions/{segment(id)}/links",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def approvals(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.DecisionApprovals:
        """Who approved which text of a decision, objected or abstained, newest first, and whose approval
        is missing.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.DecisionApprovals, Request(
            "GET",
            f"/decisions/{segment(id)}/approvals",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create_approval(
        self,
        id: str,
        *,
        verdict: Literal["approve", "object", "abstain"] | str,
        content_sha256: str,
        reason: str | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Approval:
        """Approve the text of a decision, object to it, or abstain; only people, not programs.

        Replaces your earlier verdict. A change of the text voids it. 409 when the text is no longer the
        one of contentSha256; issues then say what is different. API keys: none; it needs a session.
        Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Approval, Request(
            "POST",
            f"/decisions/{segment(id)}/approvals",
            query={"workspaceId": workspace_id},
            body={"verdict": verdict, "content_sha256": content_sha256, "reason": reason},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def request_approval(
        self,
        id: str,
        *,
        members: Sequence[str] | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RequestedApproval:
        """Ask members to approve a decision.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.RequestedApproval, Request(
            "POST",
            f"/decisions/{segment(id)}/approval-requests",
            query={"workspaceId": workspace_id},
            body={"members": members},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def create_review(
        self,
        id: str,
        *,
        result: Literal["reaffirm", "change", "supersede"] | str,
        note: str | None | Omitted = OMITTED,
        superseded_by: str | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Decision:
        """Review an accepted decision: reaffirm it, say that it has to change, or supersede it.

        A review is a version of the decision, which its history and last_review show. It sets review_by
        by the interval, or to null. supersede archives the decision and sets supersedes of
        supersededBy. 409 unless the decision is accepted. Scope: write. Least role of a session or
        service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Decision, Request(
            "POST",
            f"/decisions/{segment(id)}/reviews",
            query={"workspaceId": workspace_id},
            body={"result": result, "note": note, "superseded_by": superseded_by},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    def forecasts(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.DecisionForecasts, models.Forecast]:
        """Who holds the success of a decision how likely, with the median and an extremized mean.

        Where the workspace hides forecasts, data has only yours until you have given one or an outcome
        is logged. Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.DecisionForecasts, models.Forecast, "data", Request(
            "GET",
            f"/decisions/{segment(id)}/forecasts",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def put_forecast(
        self,
        id: str,
        *,
        probability: int | float,
        reason: str | None | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Forecast:
        """Give your forecast of the success of a decision, or change it; 409 once an outcome was logged.

        A key gives that of its user or service account. The same forecast again changes nothing. Scope:
        write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Forecast, Request(
            "PUT",
            f"/decisions/{segment(id)}/forecast",
            query={"workspaceId": workspace_id},
            body={"probability": probability, "reason": reason},
            timeout=timeout,
        ))

    def calendar(self, *, token: str | None = None, timeout: float | None = None) -> AsyncIterator[bytes]:
        """Overdue and expected decisions as an iCalendar feed (RFC 5545).

        For calendar programs, which send no headers: the token in the address is the only credential.
        Rate bucket: read.
        """
        return self._transport.stream(Request("GET", "/decisions.ics", query={"token": token}, timeout=timeout))

    async def calendar_feed(self, *, workspace_id: str | None = None, timeout: float | None = None) -> models.CalendarFeedState:
        """Whether you have a calendar feed, without its address.

        API keys: none; it needs a session. Least role of a session or service account: viewer. Rate
        bucket: read.
        """
        return await self._transport.call(models.CalendarFeedState, Request(
            "GET",
            "/decisions/calendar-token",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def create_calendar_feed(
        self,
        *,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CalendarFeedWithUrl:
        """Create the address of your calendar feed; the previous address stops working.

        The feed ends when its user leaves the workspace or changes the password. API keys: none; it
        needs a session. Least role of a session or service account: viewer. Rate bucket: mutation.
        """
        return await self._transport.call(models.CalendarFeedWithUrl, Request(
            "POST",
            "/decisions/calendar-token",
            query={"workspaceId": workspace_id},
            body={},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def revoke_calendar_feed(self, *, workspace_id: str | None = None, timeout: float | None = None) -> None:
        """Revoke your calendar feed.

        API keys: none; it needs a session. Least role of a session or service account: viewer. Rate
        bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            "/decisions/calendar-token",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    def thread(
        self,
        decision_id: str,
        *,
        workspace_id: str | None = None,
        sort: Literal["created_at", "-created_at"] | str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ThreadWithMessages, models.Message]:
        """The thread of a decision with its messages, oldest first unless sorted; empty when it has none.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ThreadWithMessages, models.Message, "messages", Request(
            "GET",
            f"/decisions/{segment(decision_id)}/thread",
            query={"workspaceId": workspace_id, "sort": sort, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def post_message(
        self,
        decision_id: str,
        *,
        content: str,
        content_type: Literal["text", "markdown"] | str | Omitted = OMITTED,
        reply_to: str | None | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PostedMessage:
        """Post a message on a decision; the first one creates the thread.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.PostedMessage, Request(
            "POST",
            f"/decisions/{segment(decision_id)}/thread",
            query={"workspaceId": workspace_id},
            body={"content": content, "content_type": content_type, "reply_to": reply_to},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def message(
        self,
        decision_id: str,
        id: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """Read a message on a decision.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.Message, Request(
            "GET",
            f"/decisions/{segment(decision_id)}/thread/messages/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def update_message(
        self,
        decision_id: str,
        id: str,
        *,
        content: str | Omitted = OMITTED,
        content_type: Literal["text", "markdown"] | str | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """Edit your own message on a decision.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Message, Request(
            "PATCH",
            f"/decisions/{segment(decision_id)}/thread/messages/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"content": content, "content_type": content_type},
            timeout=timeout,
        ))

    async def delete_message(
        self,
        decision_id: str,
        id: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Delete your own message on a decision; owners and admins can delete any.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/decisions/{segment(decision_id)}/thread/messages/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def add_reaction(
        self,
        decision_id: str,
        id: str,
        emoji: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """React to a message on a decision; a repeat changes nothing.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Message, Request(
            "PUT",
            f"/decisions/{segment(decision_id)}/thread/messages/{segment(id)}/reactions/{segment(emoji)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def remove_reaction(
        self,
        decision_id: str,
        id: str,
        emoji: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Take your reaction to a message on a decision back.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/decisions/{segment(decision_id)}/thread/messages/{segment(id)}/reactions/{segment(emoji)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def resolve_message(
        self,
        decision_id: str,
        id: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """Resolve a message on a decision with its replies.

        A reply to it reopens it. 409 for a message that is a reply. Scope: write. Least role of a
        session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Message, Request(
            "PUT",
            f"/decisions/{segment(decision_id)}/thread/messages/{segment(id)}/resolution",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def reopen_message(
        self,
        decision_id: str,
        id: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Reopen a resolved message on a decision.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/decisions/{segment(decision_id)}/thread/messages/{segment(id)}/resolution",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))


class AsyncDeliveries:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> models.DeliveryWithAttempts:
        """Read a delivery with its payload and every attempt.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return await self._transport.call(models.DeliveryWithAttempts, Request(
            "GET",
            f"/deliveries/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def replay(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Delivery:
        """Send a delivery again with the same id; one that waits for its next attempt, at once.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.Delivery, Request(
            "POST",
            f"/deliveries/{segment(id)}/replay",
            query={"workspaceId": workspace_id},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))


class AsyncEdges:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workflow_id: str,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListEdgesResult, models.Edge]:
        """The edges of a workflow: all of them, unless limit is given.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListEdgesResult, models.Edge, "data", Request(
            "GET",
            "/edges",
            query={"workspaceId": workspace_id, "workflowId": workflow_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        workflow_id: str,
        source_id: str,
        target_id: str,
        condition: Mapping[str, Any] | None | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Edge:
        """Connect two nodes of a workflow.

        A duplicate, and a cycle in an acyclic workflow, are a CONFLICT. Scope: write. Least role of a
        session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Edge, Request(
            "POST",
            "/edges",
            query={"workspaceId": workspace_id},
            body={"workflow_id": workflow_id, "source_id": source_id, "target_id": target_id, "condition": condition},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def delete(self, *, id: str, workspace_id: str | None = None, timeout: float | None = None) -> models.Deletion:
        """Delete the edge that the query names.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Deletion, Request(
            "DELETE",
            "/edges",
            query={"workspaceId": workspace_id, "id": id},
            timeout=timeout,
        ))


class AsyncEventLog:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | None = None,
        after: int | None = None,
        limit: int | None = None,
        wait: int | None = None,
        timeout: float | None = None,
    ) -> models.EventLogPage:
        """The events of the last 30 days, oldest first, with consecutive numbers.

        Repeat it with next_after: each event comes once, in the order of the numbers, and none appears
        later with a lower number. POSITION_GONE says that events after the position are missing. Scope:
        read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.EventLogPage, Request(
            "GET",
            "/event-log",
            query={"workspaceId": workspace_id, "after": after, "limit": limit, "wait": wait},
            timeout=timeout,
        ))

    async def offsets(self, *, workspace_id: str | None = None, timeout: float | None = None) -> models.ListEventOffsetsResult:
        """How far the programs that read the event log have come, by name.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.ListEventOffsetsResult, Request(
            "GET",
            "/event-log/offsets",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def put_offset(
        self,
        *,
        name: str,
        number: int,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.EventOffset:
        """Store under a name how far a program has read the event log.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.EventOffset, Request(
            "PUT",
            "/event-log/offsets",
            query={"workspaceId": workspace_id},
            body={"name": name, "number": number},
            timeout=timeout,
        ))

    async def delete_offset(
        self,
        *,
        name: str,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Delete a stored offset.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            "/event-log/offsets",
            query={"workspaceId": workspace_id, "name": name},
            timeout=timeout,
        ))


class AsyncEvents:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def stream(
        self,
        *,
        workspace_id: str | None = None,
        types: str | Sequence[Literal["decision.created", "decision.updated", "decision.deleted", "decision.outcome_logged", "decision.approval_requested", "decision.approved", "decision.objected", "decision.abstained", "decision.approval_voided", "decision.reviewed", "decision.forecast_given", "decision.approval_rules_updated", "calendar_feed.created", "calendar_feed.revoked", "workflow.created", "workflow.updated", "workflow.deleted", "workflow.graph_replaced", "node.created", "node.updated", "node.deleted", "nodes.created", "nodes.updated", "nodes.deleted", "edge.created", "edge.deleted", "edges.created", "edges.updated", "edges.deleted", "thread.message_created", "thread.message_updated", "thread.message_deleted", "thread.message_resolved", "thread.message_reopened", "thread.reaction_added", "thread.reaction_removed", "decision.exported", "audit_log.exported", "workspace.exported", "workspace.exported_madr", "workspace.imported", "workspace.import_finished", "decisions.imported", "workflow.imported", "nodes.imported", "decisions.restored", "nodes.restored", "messages.imported", "workspace.created", "workspace.updated", "workspace.deleted", "workspace.member_added", "workspace.member_updated", "workspace.member_removed", "invitation.created", "invitation.revoked", "billing.plan_changed", "api_key.created", "api_key.rotated", "api_key.revoked", "api_key.expiring", "service_account.created", "service_account.updated", "service_account.deleted", "view.shared", "view.unshared", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.failing", "webhook.disabled", "webhook.tested", "webhook.replayed", "delivery.replayed", "user.signed_up", "user.signed_in", "user.signed_out", "user.session_ended", "user.erased", "user.identity_linked", "user.updated", "user.email_changed", "user.passkey_added", "user.passkey_updated", "user.passkey_removed", "user.totp_added", "user.totp_removed", "user.recovery_codes_renewed", "user.password_changed"] | str] | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[bytes]:
        """Changes of a workspace as server-sent events.

        Each message is a LiveEvent. The stream begins with `ready`. A reconnect with Last-Event-ID
        continues after that event, or sends `reset` when it is too old and everything must be read
        again. `reconnect` announces a planned end. Only admins and owners receive changes of settings.
        Sessions that name no types also receive `presence`, a WorkflowViewer, when somebody opens a
        workflow, selects another node or leaves, and `inbox`, without data, when GET /notifications of
        the user has changed. Scope: read. Least role of a session or service account: viewer. Rate
        bucket: read.
        """
        return self._transport.stream(Request(
            "GET",
            "/events",
            query={"workspaceId": workspace_id, "types": types},
            timeout=timeout,
        ))


class AsyncExport:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def workspace(self, *, workspace_id: str | None = None, timeout: float | None = None) -> AsyncIterator[bytes]:
        """A snapshot of the whole workspace as one JSON document, streamed.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: export.
        """
        return self._transport.stream(Request(
            "GET",
            "/export",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    def madr(self, *, workspace_id: str | None = None, timeout: float | None = None) -> AsyncIterator[bytes]:
        """All decisions as Markdown decision records (MADR) in a ZIP archive.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: export.
        """
        return self._transport.stream(Request(
            "GET",
            "/export/madr",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))


class AsyncImports:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        file: Content,
        content_type: str,
        workspace_id: str | None = None,
        dry_run: bool | None = None,
        ids: Literal["keep", "remap"] | str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ImportJob:
        """Import an exported workspace, or an archive of Markdown decisions; the answer is the import job.

        Nothing is stored unless the whole file is valid. Records that the workspace already has stay as
        they are, so that the same file can be imported again. An import makes one audit entry, and of
        webhooks sends only workspace.import_finished, at its end. Rules of approvals come only into a
        workspace without rules, from an admin with a session, with an audit entry and an event of their
        own. With dryRun it sends none. Scope: write. Least role of a session or service account: admin.
        Rate bucket: mutation.
        """
        return await self._transport.call(models.ImportJob, Request(
            "POST",
            "/imports",
            query={"workspaceId": workspace_id, "dryRun": dry_run, "ids": ids},
            content=file,
            headers={"Idempotency-Key": new_key(idempotency_key), "Content-Type": content_type},
            timeout=timeout,
        ))

    async def get(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> models.ImportJob:
        """Read the progress of an import.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.ImportJob, Request(
            "GET",
            f"/imports/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))


class AsyncInvitations:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListInvitationsResult, models.Invitation]:
        """The invitations of a workspace that can still be accepted, newest first; never their links.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return self._transport.pages(models.ListInvitationsResult, models.Invitation, "data", Request(
            "GET",
            "/invitations",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        email: str | None | Omitted = OMITTED,
        role: Literal["viewer", "member", "admin", "owner"] | str | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.InvitationWithLink:
        """Invite someone by a link that works once within seven days; only this answer has the link.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.InvitationWithLink, Request(
            "POST",
            "/invitations",
            query={"workspaceId": workspace_id},
            body={"email": email, "role": role},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def revoke(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> None:
        """Revoke an invitation.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/invitations/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def accept(
        self,
        *,
        token: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Workspace:
        """Join the workspace that an invitation is for.

        A user without an account signs up with the invitation instead. API keys: none; it needs a
        session. Rate bucket: mutation.
        """
        return await self._transport.call(models.Workspace, Request(
            "POST",
            "/invitations/accept",
            body={"token": token},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))


class AsyncMembers:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListMembersResult, models.Member]:
        """The members of a workspace.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return self._transport.pages(models.ListMembersResult, models.Member, "data", Request(
            "GET",
            "/members",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def add(
        self,
        *,
        email: str,
        role: Literal["viewer", "member", "admin", "owner"] | str | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.InvitationWithLink:
        """Invite someone by e-mail address; they become a member when they accept.

        The answer has the link to send, and is the same whether or not the address has an account. An
        invitation to anyone with the link: POST /invitations. Scope: write. API keys: only those of a
        service account. Least role of a session or service account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.InvitationWithLink, Request(
            "POST",
            "/members",
            query={"workspaceId": workspace_id},
            body={"email": email, "role": role},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def update(
        self,
        id: str,
        *,
        role: Literal["viewer", "member", "admin", "owner"] | str,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Member:
        """Change a member’s role; the last owner stays an owner.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.Member, Request(
            "PATCH",
            f"/members/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"role": role},
            timeout=timeout,
        ))

    async def remove(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        keys: Literal["revoke", "keep"] | str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Remove a member; the last owner cannot be removed, and every member can leave.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: viewer. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/members/{segment(id)}",
            query={"workspaceId": workspace_id, "keys": keys},
            timeout=timeout,
        ))


class AsyncMetrics:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        workspace_id: str | None = None,
        include: str | Sequence[Literal["history", "calendar_feed", "calibration"] | str] | None = None,
        weeks: int | None = None,
        timeout: float | None = None,
    ) -> models.Metrics:
        """The workspace metric (WMS), calibration and overdue count.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.Metrics, Request(
            "GET",
            "/metrics",
            query={"workspaceId": workspace_id, "include": include, "weeks": weeks},
            timeout=timeout,
        ))

    async def history(
        self,
        *,
        workspace_id: str | None = None,
        weeks: int | None = None,
        timeout: float | None = None,
    ) -> models.MetricsHistory:
        """The workspace metric (WMS) week by week.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.MetricsHistory, Request(
            "GET",
            "/metrics/history",
            query={"workspaceId": workspace_id, "weeks": weeks},
            timeout=timeout,
        ))

    async def calibration(self, *, workspace_id: str | None = None, timeout: float | None = None) -> models.Calibration:
        """How well forecasts met outcomes: by forecaster, type and tag.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.Calibration, Request(
            "GET",
            "/metrics/calibration",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))


class AsyncNodes:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workflow_id: str,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListNodesResult, models.Node]:
        """The nodes of a workflow: all of them, unless limit is given.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListNodesResult, models.Node, "data", Request(
            "GET",
            "/nodes",
            query={"workspaceId": workspace_id, "workflowId": workflow_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        workflow_id: str,
        type: Literal["task", "doc", "table", "thread", "decision", "automation", "pulse"] | str,
        title: str,
        position_x: int,
        position_y: int,
        id: str | Omitted = OMITTED,
        data: Mapping[str, Any] | Omitted = OMITTED,
        status: Literal["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] | str | Omitted = OMITTED,
        assigned_to: str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Node:
        """Add a node to a workflow.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Node, Request(
            "POST",
            "/nodes",
            query={"workspaceId": workspace_id},
            body={"id": id, "workflow_id": workflow_id, "type": type, "title": title, "data": data, "position_x": position_x, "position_y": position_y, "status": status, "assigned_to": assigned_to, "external_id": external_id},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def get(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        if_none_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.Node:
        """Read a node.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.Node, Request(
            "GET",
            f"/nodes/{segment(id)}",
            query={"workspaceId": workspace_id},
            headers={"If-None-Match": etag(if_none_match)},
            timeout=timeout,
        ))

    async def update(
        self,
        id: str,
        *,
        title: str | Omitted = OMITTED,
        data: Mapping[str, Any] | Omitted = OMITTED,
        position_x: int | Omitted = OMITTED,
        position_y: int | Omitted = OMITTED,
        status: Literal["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] | str | Omitted = OMITTED,
        assigned_to: str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.Node:
        """Change a node; any status may follow any other.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Node, Request(
            "PATCH",
            f"/nodes/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"title": title, "data": data, "position_x": position_x, "position_y": position_y, "status": status, "assigned_to": assigned_to, "external_id": external_id},
            headers={"If-Match": etag(if_match)},
            timeout=timeout,
        ))

    async def delete(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.Deletion:
        """Delete a node with its edges and its thread.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Deletion, Request(
            "DELETE",
            f"/nodes/{segment(id)}",
            query={"workspaceId": workspace_id},
            headers={"If-Match": etag(if_match)},
            timeout=timeout,
        ))

    async def put_by_external_id(
        self,
        external_id: str,
        *,
        workflow_id: str,
        type: Literal["task", "doc", "table", "thread", "decision", "automation", "pulse"] | str | Omitted = OMITTED,
        title: str | Omitted = OMITTED,
        data: Mapping[str, Any] | Omitted = OMITTED,
        position_x: int | Omitted = OMITTED,
        position_y: int | Omitted = OMITTED,
        status: Literal["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] | str | Omitted = OMITTED,
        assigned_to: str | None | Omitted = OMITTED,
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        if_none_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.Node:
        """Create the node with an external id, or change it.

        A repeat with the same fields changes nothing: no version, no event and no audit entry. A node
        stays in its workflow. Scope: write. Least role of a session or service account: member. Rate
        bucket: mutation.
        """
        return await self._transport.call(models.Node, Request(
            "PUT",
            f"/nodes/by-external-id/{segment(external_id)}",
            query={"workspaceId": workspace_id},
            body={"workflow_id": workflow_id, "type": type, "title": title, "data": data, "position_x": position_x, "position_y": position_y, "status": status, "assigned_to": assigned_to},
            headers={"If-Match": etag(if_match), "If-None-Match": etag(if_none_match)},
            timeout=timeout,
        ))

    async def restore(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Node:
        """Restore a deleted node with its thread and with its edges to nodes that exist.

        The events say that it was created, with a version after that of the deletion. A record that was
        restored already is answered as it is. While its workflow is deleted, it is a CONFLICT. Scope:
        write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Node, Request(
            "POST",
            f"/nodes/{segment(id)}/restore",
            query={"workspaceId": workspace_id},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))


class AsyncNotifications:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def open_unsubscribe(self, *, token: str, timeout: float | None = None) -> str:
        """The link of a mail that ends such mails: redirects to a page that asks.

        Rate bucket: read.
        """
        return await self._transport.location(Request(
            "GET",
            "/notifications/unsubscribe",
            query={"token": token},
            timeout=timeout,
        ))

    async def unsubscribe(self, *, token: str, timeout: float | None = None) -> None:
        """End the mails of a kind, or the daily mail, with the token of a mail (RFC 8058).

        Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "POST",
            "/notifications/unsubscribe",
            query={"token": token},
            timeout=timeout,
        ))

    def list(
        self,
        *,
        workspace_id: str | None = None,
        unread: bool | None = None,
        include: str | Sequence[Literal["subscriptions"] | str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.NotificationListWithParts, models.Notification]:
        """What you were told, newest first: mentions, replies, assignments and what waits for you.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return self._transport.pages(models.NotificationListWithParts, models.Notification, "data", Request(
            "GET",
            "/notifications",
            query={"workspaceId": workspace_id, "unread": unread, "include": include, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def update(
        self,
        id: str,
        *,
        is_read: bool | Omitted = OMITTED,
        snoozed_until: str | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.Notification:
        """Mark a notification as read or unread, or snooze it.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.Notification, Request(
            "PATCH",
            f"/notifications/{segment(id)}",
            body={"is_read": is_read, "snoozed_until": snoozed_until},
            timeout=timeout,
        ))

    async def read(
        self,
        *,
        workspace_id: str | Omitted = OMITTED,
        up_to: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.ReadNotifications:
        """Mark all notifications as read, or those of a workspace or until a time.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.ReadNotifications, Request(
            "POST",
            "/notifications/read",
            body={"workspace_id": workspace_id, "up_to": up_to},
            timeout=timeout,
        ))

    async def mail_settings(
        self,
        *,
        include: str | Sequence[Literal["subscriptions"] | str] | None = None,
        timeout: float | None = None,
    ) -> models.MailSettingsWithParts:
        """Of which notifications you get mail, at once or in a daily one.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return await self._transport.call(models.MailSettingsWithParts, Request(
            "GET",
            "/notifications/mail-settings",
            query={"include": include},
            timeout=timeout,
        ))

    async def put_mail_settings(
        self,
        *,
        time_zone: str,
        at_once: Sequence[Literal["mention", "reply", "assignment", "change", "approval_requested", "approval_voided", "outcome_overdue", "review_due", "import_finished", "key_expiring", "endpoint_failing", "endpoint_disabled"] | str] | Omitted = OMITTED,
        daily: Sequence[Literal["mention", "reply", "assignment", "change", "approval_requested", "approval_voided", "outcome_overdue", "review_due", "import_finished", "key_expiring", "endpoint_failing", "endpoint_disabled"] | str] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.MailSettings:
        """Choose of which notifications you get mail.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.MailSettings, Request(
            "PUT",
            "/notifications/mail-settings",
            body={"time_zone": time_zone, "at_once": at_once, "daily": daily},
            timeout=timeout,
        ))

    async def subscriptions(self, *, workspace_id: str | None = None, timeout: float | None = None) -> models.ListSubscriptionsResult:
        """The records and workspaces that you watch or have muted.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return await self._transport.call(models.ListSubscriptionsResult, Request(
            "GET",
            "/notifications/subscriptions",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def put_subscription(
        self,
        id: str,
        *,
        workspace_id: str,
        record_type: Literal["workspace", "decision", "workflow", "node"] | str,
        level: Literal["watch", "mute"] | str,
        timeout: float | None = None,
    ) -> models.Subscription:
        """Watch or mute a record, or a whole workspace, by its id.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.Subscription, Request(
            "PUT",
            f"/notifications/subscriptions/{segment(id)}",
            body={"workspace_id": workspace_id, "record_type": record_type, "level": level},
            timeout=timeout,
        ))

    async def delete_subscription(self, id: str, *, timeout: float | None = None) -> None:
        """Neither watch nor mute a record or workspace any longer.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/notifications/subscriptions/{segment(id)}",
            timeout=timeout,
        ))


class AsyncOpenapi:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, *, timeout: float | None = None) -> models.GetOpenApiResult:
        """This description.

        Rate bucket: read.
        """
        return await self._transport.call(models.GetOpenApiResult, Request("GET", "/openapi.json", timeout=timeout))


class AsyncPeople:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListPeopleResult, models.Person]:
        """The names and roles of the members of a workspace, for everyone in it.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListPeopleResult, models.Person, "data", Request(
            "GET",
            "/people",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))


class AsyncPresence:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def report(
        self,
        *,
        workflow_id: str,
        tab: str,
        workspace_id: str | None = None,
        node_id: str | None = None,
        left: bool | None = None,
        timeout: float | None = None,
    ) -> models.ReportPresenceResult:
        """Report that the user views a workflow, and read who does.

        Repeat it every 10 seconds: a report is forgotten after 30, or with left=true. It is stored
        nowhere and not audited. GET /events sends the changes as `presence`. API keys: none; it needs a
        session. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.ReportPresenceResult, Request(
            "POST",
            "/presence",
            query={"workspaceId": workspace_id, "workflowId": workflow_id, "nodeId": node_id, "tab": tab, "left": left},
            timeout=timeout,
        ))


class AsyncQuality:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def score_decision_draft(
        self,
        *,
        title: str | Omitted = OMITTED,
        question: str | None | Omitted = OMITTED,
        description: str | Omitted = OMITTED,
        status: Literal["proposed", "accepted", "rejected", "archived"] | str | Omitted = OMITTED,
        resolution: str | None | Omitted = OMITTED,
        rationale: str | None | Omitted = OMITTED,
        options_considered: Sequence[str | inputs.DecisionCreateOptionsConsidered] | Omitted = OMITTED,
        criteria: Sequence[str] | Omitted = OMITTED,
        decision_type: str | None | Omitted = OMITTED,
        tags: Sequence[str] | Omitted = OMITTED,
        expected_by: str | None | Omitted = OMITTED,
        review_by: str | None | Omitted = OMITTED,
        review_every_months: int | None | Omitted = OMITTED,
        decided_by: str | None | Omitted = OMITTED,
        deciders: Sequence[str] | Omitted = OMITTED,
        consulted: Sequence[str] | Omitted = OMITTED,
        informed: Sequence[str] | Omitted = OMITTED,
        outcome: Literal["pending", "success", "partial", "failure", "abandoned"] | str | Omitted = OMITTED,
        outcome_notes: str | None | Omitted = OMITTED,
        outcome_confidence: int | float | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        supersedes: str | None | Omitted = OMITTED,
        relates_to: Sequence[str] | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Quality:
        """Score a draft without storing it.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Quality, Request(
            "POST",
            "/quality",
            query={"workspaceId": workspace_id},
            body={"title": title, "question": question, "description": description, "status": status, "resolution": resolution, "rationale": rationale, "options_considered": options_considered, "criteria": criteria, "decision_type": decision_type, "tags": tags, "expected_by": expected_by, "review_by": review_by, "review_every_months": review_every_months, "decided_by": decided_by, "deciders": deciders, "consulted": consulted, "informed": informed, "outcome": outcome, "outcome_notes": outcome_notes, "outcome_confidence": outcome_confidence, "external_id": external_id, "supersedes": supersedes, "relates_to": relates_to},
            timeout=timeout,
        ))


class AsyncRateLimits:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        workspace_id: str | None = None,
        key_id: str | None = None,
        timeout: float | None = None,
    ) -> models.RateLimitUse:
        """The limits of a workspace and how much of them was used over the last hour.

        The limits of all keys together, of the key in keyId, and of the caller’s own session. Windows
        without a request are left out. Scope: read. API keys: only those of a service account. Least
        role of a session or service account: admin. Rate bucket: read.
        """
        return await self._transport.call(models.RateLimitUse, Request(
            "GET",
            "/rate-limits",
            query={"workspaceId": workspace_id, "keyId": key_id},
            timeout=timeout,
        ))


class AsyncServiceAccounts:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListServiceAccountsResult, models.ServiceAccount]:
        """The service accounts of a workspace, newest first.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return self._transport.pages(models.ListServiceAccountsResult, models.ServiceAccount, "data", Request(
            "GET",
            "/service-accounts",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        name: str,
        role: Literal["viewer", "member", "admin"] | str,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ServiceAccount:
        """Create a service account: a program with a role, whose API keys may do what the role may.

        POST /api-keys with serviceAccountId creates its keys. Scope: write. API keys: only those of a
        service account. Least role of a session or service account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.ServiceAccount, Request(
            "POST",
            "/service-accounts",
            query={"workspaceId": workspace_id},
            body={"name": name, "role": role},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def get(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> models.ServiceAccount:
        """Read a service account.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return await self._transport.call(models.ServiceAccount, Request(
            "GET",
            f"/service-accounts/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def update(
        self,
        id: str,
        *,
        name: str | Omitted = OMITTED,
        role: Literal["viewer", "member", "admin"] | str | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.ServiceAccount:
        """Rename a service account, or change its role, immediately for all its keys.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.ServiceAccount, Request(
            "PATCH",
            f"/service-accounts/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"name": name, "role": role},
            timeout=timeout,
        ))

    async def delete(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> None:
        """Delete a service account and revoke its keys, immediately and everywhere.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/service-accounts/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))


class AsyncThreads:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def count_messages(
        self,
        *,
        node_ids: str | Sequence[str],
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.MessageCounts:
        """How many messages nodes have, counted up to 100.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.MessageCounts, Request(
            "GET",
            "/threads",
            query={"workspaceId": workspace_id, "nodeIds": node_ids},
            timeout=timeout,
        ))

    def trashed_messages(
        self,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListTrashedDecisionsResult, models.TrashedRecord]:
        """The deleted messages that can be restored, for 30 days, latest deletion first.

        The thread of a deleted node or decision is not listed: it comes back with this record. Scope:
        read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListTrashedDecisionsResult, models.TrashedRecord, "data", Request(
            "GET",
            "/threads/trash",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def restore_message(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """Restore your own deleted message; owners and admins can restore any.

        The events say that it was created, with a version after that of the deletion. A record that was
        restored already is answered as it is. While its node or decision is deleted, it is a CONFLICT.
        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Message, Request(
            "POST",
            f"/threads/messages/{segment(id)}/restore",
            query={"workspaceId": workspace_id},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    def get(
        self,
        node_id: str,
        *,
        workspace_id: str | None = None,
        sort: Literal["created_at", "-created_at"] | str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ThreadWithMessages, models.Message]:
        """The thread of a node with its messages, oldest first unless sorted; empty when it has none.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ThreadWithMessages, models.Message, "messages", Request(
            "GET",
            f"/threads/{segment(node_id)}",
            query={"workspaceId": workspace_id, "sort": sort, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def post_message(
        self,
        node_id: str,
        *,
        content: str,
        content_type: Literal["text", "markdown"] | str | Omitted = OMITTED,
        reply_to: str | None | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PostedMessage:
        """Post a message on a node; the first one creates the thread.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.PostedMessage, Request(
            "POST",
            f"/threads/{segment(node_id)}",
            query={"workspaceId": workspace_id},
            body={"content": content, "content_type": content_type, "reply_to": reply_to},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def message(
        self,
        node_id: str,
        id: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """Read a message.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.Message, Request(
            "GET",
            f"/threads/{segment(node_id)}/messages/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def update_message(
        self,
        node_id: str,
        id: str,
        *,
        content: str | Omitted = OMITTED,
        content_type: Literal["text", "markdown"] | str | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """Edit your own message.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Message, Request(
            "PATCH",
            f"/threads/{segment(node_id)}/messages/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"content": content, "content_type": content_type},
            timeout=timeout,
        ))

    async def delete_message(
        self,
        node_id: str,
        id: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Delete your own message; owners and admins can delete any.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/threads/{segment(node_id)}/messages/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def add_reaction(
        self,
        node_id: str,
        id: str,
        emoji: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """React to a message; a repeat changes nothing.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Message, Request(
            "PUT",
            f"/threads/{segment(node_id)}/messages/{segment(id)}/reactions/{segment(emoji)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def remove_reaction(
        self,
        node_id: str,
        id: str,
        emoji: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Take your reaction to a message back.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/threads/{segment(node_id)}/messages/{segment(id)}/reactions/{segment(emoji)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def resolve_message(
        self,
        node_id: str,
        id: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Message:
        """Resolve a message with its replies.

        A reply to it reopens it. 409 for a message that is a reply. Scope: write. Least role of a
        session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Message, Request(
            "PUT",
            f"/threads/{segment(node_id)}/messages/{segment(id)}/resolution",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def reopen_message(
        self,
        node_id: str,
        id: str,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Reopen a resolved message.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/threads/{segment(node_id)}/messages/{segment(id)}/resolution",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))


class AsyncViews:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        kind: Literal["decisions", "audit_log"] | str,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.SavedViews:
        """Your views of a list and those that are shared, with how you have arranged the list.

        API keys: none; it needs a session. Least role of a session or service account: viewer. Rate
        bucket: read.
        """
        return await self._transport.call(models.SavedViews, Request(
            "GET",
            "/views",
            query={"workspaceId": workspace_id, "kind": kind},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        kind: Literal["decisions", "audit_log"] | str,
        name: str,
        query: inputs.ViewQueryInput | Omitted = OMITTED,
        columns: Sequence[Literal["status", "outcome", "quality", "expected", "author", "created", "changed"] | str] | Omitted = OMITTED,
        shared: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SavedView:
        """Save a view of a list, for yourself or shared with the workspace.

        A viewer cannot share one. Only shared views are in the audit log. API keys: none; it needs a
        session. Least role of a session or service account: viewer. Rate bucket: mutation.
        """
        return await self._transport.call(models.SavedView, Request(
            "POST",
            "/views",
            query={"workspaceId": workspace_id},
            body={"kind": kind, "name": name, "query": query, "columns": columns, "shared": shared},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def update(
        self,
        id: str,
        *,
        name: str | Omitted = OMITTED,
        query: inputs.ViewQueryInput | Omitted = OMITTED,
        columns: Sequence[Literal["status", "outcome", "quality", "expected", "author", "created", "changed"] | str] | Omitted = OMITTED,
        shared: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.SavedView:
        """Change, share or stop sharing a view of your own; an admin may change a shared one.

        A view that is no longer shared belongs to its owner again. API keys: none; it needs a session.
        Least role of a session or service account: viewer. Rate bucket: mutation.
        """
        return await self._transport.call(models.SavedView, Request(
            "PATCH",
            f"/views/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"name": name, "query": query, "columns": columns, "shared": shared},
            timeout=timeout,
        ))

    async def delete(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> None:
        """Delete a view of your own; an admin may delete a shared one.

        API keys: none; it needs a session. Least role of a session or service account: viewer. Rate
        bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/views/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def update_list_settings(
        self,
        *,
        kind: Literal["decisions", "audit_log"] | str,
        columns: Sequence[Literal["status", "outcome", "quality", "expected", "author", "created", "changed"] | str] | Omitted = OMITTED,
        default_view_id: str | None | Omitted = OMITTED,
        favourite_ids: Sequence[str] | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.ListSettings:
        """Choose your columns, default view and favourites of a list.

        API keys: none; it needs a session. Least role of a session or service account: viewer. Rate
        bucket: mutation.
        """
        return await self._transport.call(models.ListSettings, Request(
            "PATCH",
            "/views/settings",
            query={"workspaceId": workspace_id},
            body={"kind": kind, "columns": columns, "default_view_id": default_view_id, "favourite_ids": favourite_ids},
            timeout=timeout,
        ))


class AsyncWebhooks:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListWebhooksResult, models.Webhook]:
        """The webhook endpoints of a workspace, newest first; never their secrets.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return self._transport.pages(models.ListWebhooksResult, models.Webhook, "data", Request(
            "GET",
            "/webhooks",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        url: str,
        events: Sequence[Literal["decision.created", "decision.updated", "decision.deleted", "decision.outcome_logged", "decision.approval_requested", "decision.approved", "decision.objected", "decision.abstained", "decision.approval_voided", "decision.reviewed", "decision.forecast_given", "decision.approval_rules_updated", "calendar_feed.created", "calendar_feed.revoked", "workflow.created", "workflow.updated", "workflow.deleted", "workflow.graph_replaced", "node.created", "node.updated", "node.deleted", "nodes.created", "nodes.updated", "nodes.deleted", "edge.created", "edge.deleted", "edges.created", "edges.updated", "edges.deleted", "thread.message_created", "thread.message_updated", "thread.message_deleted", "thread.message_resolved", "thread.message_reopened", "thread.reaction_added", "thread.reaction_removed", "decision.exported", "audit_log.exported", "workspace.exported", "workspace.exported_madr", "workspace.import_finished", "workspace.updated", "workspace.member_added", "workspace.member_updated", "workspace.member_removed", "invitation.created", "invitation.revoked", "billing.plan_changed", "api_key.created", "api_key.rotated", "api_key.revoked", "service_account.created", "service_account.updated", "service_account.deleted", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.disabled", "webhook.tested", "webhook.replayed", "delivery.replayed"] | str],
        description: str | Omitted = OMITTED,
        format: Literal["waymark", "slack", "teams", "discord"] | str | Omitted = OMITTED,
        max_per_second: int | None | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookWithSecret:
        """Register an endpoint; only this answer has its signing secret.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.WebhookWithSecret, Request(
            "POST",
            "/webhooks",
            query={"workspaceId": workspace_id},
            body={"url": url, "description": description, "format": format, "max_per_second": max_per_second, "events": events},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def event_types(self, *, workspace_id: str | None = None, timeout: float | None = None) -> models.ListWebhookEventTypesResult:
        """Every event type that a delivery may carry, with the JSON Schema of its data.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return await self._transport.call(models.ListWebhookEventTypesResult, Request(
            "GET",
            "/webhooks/event-types",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def get(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        include: str | Sequence[Literal["stats"] | str] | None = None,
        timeout: float | None = None,
    ) -> models.WebhookWithParts:
        """Read an endpoint.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return await self._transport.call(models.WebhookWithParts, Request(
            "GET",
            f"/webhooks/{segment(id)}",
            query={"workspaceId": workspace_id, "include": include},
            timeout=timeout,
        ))

    async def update(
        self,
        id: str,
        *,
        url: str | Omitted = OMITTED,
        description: str | Omitted = OMITTED,
        format: Literal["waymark", "slack", "teams", "discord"] | str | Omitted = OMITTED,
        max_per_second: int | None | Omitted = OMITTED,
        events: Sequence[Literal["decision.created", "decision.updated", "decision.deleted", "decision.outcome_logged", "decision.approval_requested", "decision.approved", "decision.objected", "decision.abstained", "decision.approval_voided", "decision.reviewed", "decision.forecast_given", "decision.approval_rules_updated", "calendar_feed.created", "calendar_feed.revoked", "workflow.created", "workflow.updated", "workflow.deleted", "workflow.graph_replaced", "node.created", "node.updated", "node.deleted", "nodes.created", "nodes.updated", "nodes.deleted", "edge.created", "edge.deleted", "edges.created", "edges.updated", "edges.deleted", "thread.message_created", "thread.message_updated", "thread.message_deleted", "thread.message_resolved", "thread.message_reopened", "thread.reaction_added", "thread.reaction_removed", "decision.exported", "audit_log.exported", "workspace.exported", "workspace.exported_madr", "workspace.import_finished", "workspace.updated", "workspace.member_added", "workspace.member_updated", "workspace.member_removed", "invitation.created", "invitation.revoked", "billing.plan_changed", "api_key.created", "api_key.rotated", "api_key.revoked", "service_account.created", "service_account.updated", "service_account.deleted", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.disabled", "webhook.tested", "webhook.replayed", "delivery.replayed"] | str] | Omitted = OMITTED,
        enabled: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        timeout: float | None = None,
    ) -> models.Webhook:
        """Change, disable or enable an endpoint.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.Webhook, Request(
            "PATCH",
            f"/webhooks/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"url": url, "description": description, "format": format, "max_per_second": max_per_second, "events": events, "enabled": enabled},
            timeout=timeout,
        ))

    async def delete(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> None:
        """Delete an endpoint; its pending deliveries are cancelled.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/webhooks/{segment(id)}",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def rotate_secret(
        self,
        id: str,
        *,
        promote: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookWithSecret:
        """Replace the signing secret; both secrets sign for 24 hours or until the new one is promoted.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.WebhookWithSecret, Request(
            "POST",
            f"/webhooks/{segment(id)}/rotate-secret",
            query={"workspaceId": workspace_id},
            body={"promote": promote},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def test(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        event: Literal["ping", "decision.created", "decision.updated", "decision.deleted", "decision.outcome_logged", "decision.approval_requested", "decision.approved", "decision.objected", "decision.abstained", "decision.approval_voided", "decision.reviewed", "decision.forecast_given", "decision.approval_rules_updated", "calendar_feed.created", "calendar_feed.revoked", "workflow.created", "workflow.updated", "workflow.deleted", "workflow.graph_replaced", "node.created", "node.updated", "node.deleted", "nodes.created", "nodes.updated", "nodes.deleted", "edge.created", "edge.deleted", "edges.created", "edges.updated", "edges.deleted", "thread.message_created", "thread.message_updated", "thread.message_deleted", "thread.message_resolved", "thread.message_reopened", "thread.reaction_added", "thread.reaction_removed", "decision.exported", "audit_log.exported", "workspace.exported", "workspace.exported_madr", "workspace.import_finished", "workspace.updated", "workspace.member_added", "workspace.member_updated", "workspace.member_removed", "invitation.created", "invitation.revoked", "billing.plan_changed", "api_key.created", "api_key.rotated", "api_key.revoked", "service_account.created", "service_account.updated", "service_account.deleted", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.disabled", "webhook.tested", "webhook.replayed", "delivery.replayed"] | str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Delivery:
        """Send a ping, or an example of an event, to an endpoint, subscribed or not.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.Delivery, Request(
            "POST",
            f"/webhooks/{segment(id)}/test",
            query={"workspaceId": workspace_id, "event": event},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    def deliveries(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        status: Literal["pending", "delivered", "failed", "held", "cancelled"] | str | None = None,
        event: Literal["ping", "decision.created", "decision.updated", "decision.deleted", "decision.outcome_logged", "decision.approval_requested", "decision.approved", "decision.objected", "decision.abstained", "decision.approval_voided", "decision.reviewed", "decision.forecast_given", "decision.approval_rules_updated", "calendar_feed.created", "calendar_feed.revoked", "workflow.created", "workflow.updated", "workflow.deleted", "workflow.graph_replaced", "node.created", "node.updated", "node.deleted", "nodes.created", "nodes.updated", "nodes.deleted", "edge.created", "edge.deleted", "edges.created", "edges.updated", "edges.deleted", "thread.message_created", "thread.message_updated", "thread.message_deleted", "thread.message_resolved", "thread.message_reopened", "thread.reaction_added", "thread.reaction_removed", "decision.exported", "audit_log.exported", "workspace.exported", "workspace.exported_madr", "workspace.import_finished", "workspace.updated", "workspace.member_added", "workspace.member_updated", "workspace.member_removed", "invitation.created", "invitation.revoked", "billing.plan_changed", "api_key.created", "api_key.rotated", "api_key.revoked", "service_account.created", "service_account.updated", "service_account.deleted", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.disabled", "webhook.tested", "webhook.replayed", "delivery.replayed"] | str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListWebhookDeliveriesResult, models.Delivery]:
        """The deliveries to an endpoint, newest first.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return self._transport.pages(models.ListWebhookDeliveriesResult, models.Delivery, "data", Request(
            "GET",
            f"/webhooks/{segment(id)}/deliveries",
            query={"workspaceId": workspace_id, "status": status, "event": event, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def stats(self, id: str, *, workspace_id: str | None = None, timeout: float | None = None) -> models.WebhookStats:
        """The number of deliveries to an endpoint by status, and its attempts hour by hour.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: read.
        """
        return await self._transport.call(models.WebhookStats, Request(
            "GET",
            f"/webhooks/{segment(id)}/stats",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def replay(
        self,
        id: str,
        *,
        since: str,
        status: Literal["delivered", "failed", "held"] | str | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookReplayed:
        """Send the deliveries with a status again, oldest first, each with the same id.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.WebhookReplayed, Request(
            "POST",
            f"/webhooks/{segment(id)}/replay",
            query={"workspaceId": workspace_id},
            body={"since": since, "status": status},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))


class AsyncWorkflows:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | None = None,
        text: str | None = None,
        sort: Literal["-created_at", "-updated_at"] | str | None = None,
        include: str | Sequence[Literal["outline"] | str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListWorkflowsResult, models.WorkflowWithParts]:
        """The workflows of a workspace.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListWorkflowsResult, models.WorkflowWithParts, "data", Request(
            "GET",
            "/workflows",
            query={"workspaceId": workspace_id, "text": text, "sort": sort, "include": include, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def create(
        self,
        *,
        title: str,
        description: str | Omitted = OMITTED,
        acyclic: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Workflow:
        """Create an empty workflow.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Workflow, Request(
            "POST",
            "/workflows",
            query={"workspaceId": workspace_id},
            body={"title": title, "description": description, "acyclic": acyclic},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    def trashed_records(
        self,
        *,
        workspace_id: str | None = None,
        kind: Literal["workflow", "node"] | str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListTrashedDecisionsResult, models.TrashedRecord]:
        """The deleted workflows, or nodes, that can be restored, for 30 days, latest deletion first.

        The nodes of a deleted workflow are not listed: they come back with it. Scope: read. Least role
        of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListTrashedDecisionsResult, models.TrashedRecord, "data", Request(
            "GET",
            "/workflows/trash",
            query={"workspaceId": workspace_id, "kind": kind, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    async def get(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        if_none_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.Workflow:
        """Read a workflow.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.Workflow, Request(
            "GET",
            f"/workflows/{segment(id)}",
            query={"workspaceId": workspace_id},
            headers={"If-None-Match": etag(if_none_match)},
            timeout=timeout,
        ))

    async def update(
        self,
        id: str,
        *,
        title: str | Omitted = OMITTED,
        description: str | Omitted = OMITTED,
        acyclic: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.Workflow:
        """Change a workflow; one that has a cycle cannot become acyclic.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Workflow, Request(
            "PATCH",
            f"/workflows/{segment(id)}",
            query={"workspaceId": workspace_id},
            body={"title": title, "description": description, "acyclic": acyclic},
            headers={"If-Match": etag(if_match)},
            timeout=timeout,
        ))

    async def delete(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        timeout: float | None = None,
    ) -> None:
        """Delete a workflow with its nodes, edges and threads.

        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request(
            "DELETE",
            f"/workflows/{segment(id)}",
            query={"workspaceId": workspace_id},
            headers={"If-Match": etag(if_match)},
            timeout=timeout,
        ))

    async def restore(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Workflow:
        """Restore a deleted workflow with its nodes, edges and threads.

        The events say that it was created, with a version after that of the deletion. A record that was
        restored already is answered as it is. Scope: write. Least role of a session or service account:
        member. Rate bucket: mutation.
        """
        return await self._transport.call(models.Workflow, Request(
            "POST",
            f"/workflows/{segment(id)}/restore",
            query={"workspaceId": workspace_id},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def graph(
        self,
        id: str,
        *,
        workspace_id: str | None = None,
        if_none_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.WorkflowGraph:
        """A workflow with all its nodes and edges, as of one moment.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.WorkflowGraph, Request(
            "GET",
            f"/workflows/{segment(id)}/graph",
            query={"workspaceId": workspace_id},
            headers={"If-None-Match": etag(if_none_match)},
            timeout=timeout,
        ))

    async def put_graph(
        self,
        id: str,
        *,
        nodes: Sequence[inputs.GraphNode],
        edges: Sequence[inputs.GraphEdge],
        workspace_id: str | None = None,
        if_match: str | int | None = None,
        timeout: float | None = None,
    ) -> models.WorkflowGraph:
        """Replace all nodes and edges of a workflow at once.

        Send the ETag of the current graph in If-Match. Without it a graph can only grow: a request that
        would change or delete something is answered with 428. \"If-Match: *\" replaces any version.
        Scope: write. Least role of a session or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.WorkflowGraph, Request(
            "PUT",
            f"/workflows/{segment(id)}/graph",
            query={"workspaceId": workspace_id},
            body={"nodes": nodes, "edges": edges},
            headers={"If-Match": etag(if_match)},
            timeout=timeout,
        ))

    def all_nodes(
        self,
        *,
        workspace_id: str | None = None,
        external_id: str | None = None,
        assigned_to: str | None = None,
        status: str | Sequence[Literal["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] | str] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListNodesResult, models.Node]:
        """The nodes of all workflows of a workspace, workflow by workflow.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListNodesResult, models.Node, "data", Request(
            "GET",
            "/workflows/nodes",
            query={"workspaceId": workspace_id, "externalId": external_id, "assignedTo": assigned_to, "status": status, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))

    def all_edges(
        self,
        *,
        workspace_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[models.ListEdgesResult, models.Edge]:
        """The edges of all workflows of a workspace, workflow by workflow.

        Scope: read. Least role of a session or service account: viewer. Rate bucket: read.
        """
        return self._transport.pages(models.ListEdgesResult, models.Edge, "data", Request(
            "GET",
            "/workflows/edges",
            query={"workspaceId": workspace_id, "cursor": cursor, "limit": limit},
            timeout=timeout,
        ))


class AsyncWorkspaces:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, *, timeout: float | None = None) -> models.ListWorkspacesResult:
        """The workspaces of which the user is a member.

        API keys: none; it needs a session. Rate bucket: read.
        """
        return await self._transport.call(models.ListWorkspacesResult, Request("GET", "/workspaces", timeout=timeout))

    async def create(
        self,
        *,
        name: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Workspace:
        """Create a workspace; the caller becomes its owner.

        API keys: none; it needs a session. Rate bucket: mutation.
        """
        return await self._transport.call(models.Workspace, Request(
            "POST",
            "/workspaces",
            body={"name": name},
            headers={"Idempotency-Key": new_key(idempotency_key)},
            timeout=timeout,
        ))

    async def get(self, id: str, *, timeout: float | None = None) -> models.Workspace:
        """Read a workspace.

        Scope: read. API keys: only those of a service account. Least role of a session or service
        account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.Workspace, Request("GET", f"/workspaces/{segment(id)}", timeout=timeout))

    async def update(
        self,
        id: str,
        *,
        name: str | Omitted = OMITTED,
        require_second_factor: bool | Omitted = OMITTED,
        quality_model: Literal["dq-1", "dq-2"] | str | Omitted = OMITTED,
        hidden_forecasts: bool | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> models.Workspace:
        """Rename a workspace, let it require a second factor, or choose its quality score.

        With requireSecondFactor, a session without one is refused in the workspace: FORBIDDEN with the
        reason second_factor. Scope: write. API keys: only those of a service account. Least role of a
        session or service account: admin. Rate bucket: mutation.
        """
        return await self._transport.call(models.Workspace, Request(
            "PATCH",
            f"/workspaces/{segment(id)}",
            body={"name": name, "require_second_factor": require_second_factor, "quality_model": quality_model, "hidden_forecasts": hidden_forecasts},
            timeout=timeout,
        ))

    async def delete(self, id: str, *, timeout: float | None = None) -> None:
        """Delete a workspace with all its data.

        Access ends immediately; all services delete their data of it within minutes. The audit entry is
        in the user’s own chain. Scope: write. API keys: only those of a service account. Least role of
        a session or service account: owner. Rate bucket: mutation.
        """
        return await self._transport.call_without_result(Request("DELETE", f"/workspaces/{segment(id)}", timeout=timeout))

    async def change_plan(
        self,
        id: str,
        *,
        plan: Literal["free", "pro", "business", "enterprise"] | str,
        timeout: float | None = None,
    ) -> models.Workspace:
        """Change the plan of a workspace.

        Scope: write. API keys: only those of a service account. Least role of a session or service
        account: owner. Rate bucket: mutation.
        """
        return await self._transport.call(models.Workspace, Request(
            "PUT",
            f"/workspaces/{segment(id)}/plan",
            body={"plan": plan},
            timeout=timeout,
        ))


class AsyncResources:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.api_keys = AsyncApiKeys(transport)
        self.approval_rules = AsyncApprovalRules(transport)
        self.audit_log = AsyncAuditLog(transport)
        self.auth = AsyncAuth(transport)
        self.changelog = AsyncChangelog(transport)
        self.decisions = AsyncDecisions(transport)
        self.deliveries = AsyncDeliveries(transport)
        self.edges = AsyncEdges(transport)
        self.event_log = AsyncEventLog(transport)
        self.events = AsyncEvents(transport)
        self.export = AsyncExport(transport)
        self.imports = AsyncImports(transport)
        self.invitations = AsyncInvitations(transport)
        self.members = AsyncMembers(transport)
        self.metrics = AsyncMetrics(transport)
        self.nodes = AsyncNodes(transport)
        self.notifications = AsyncNotifications(transport)
        self.openapi = AsyncOpenapi(transport)
        self.people = AsyncPeople(transport)
        self.presence = AsyncPresence(transport)
        self.quality = AsyncQuality(transport)
        self.rate_limits = AsyncRateLimits(transport)
        self.service_accounts = AsyncServiceAccounts(transport)
        self.threads = AsyncThreads(transport)
        self.views = AsyncViews(transport)
        self.webhooks = AsyncWebhooks(transport)
        self.workflows = AsyncWorkflows(transport)
        self.workspaces = AsyncWorkspaces(transport)

    async def whoami(self, *, workspace_id: str | None = None, timeout: float | None = None) -> models.Whoami:
        """The owner of the credentials; needs no scope.

        Rate bucket: read.
        """
        return await self._transport.call(models.Whoami, Request(
            "GET",
            "/whoami",
            query={"workspaceId": workspace_id},
            timeout=timeout,
        ))

    async def search(
        self,
        *,
        q: str,
        workspace_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> models.SearchHits:
        """Nodes, decisions and workflows that contain a text, newest first in each group.

        Case-insensitive by full Unicode folding; every character of q is literal. A hit in a message
        names its node, at the position of its newest match. Scope: read. Least role of a session or
        service account: viewer. Rate bucket: read.
        """
        return await self._transport.call(models.SearchHits, Request(
            "GET",
            "/search",
            query={"workspaceId": workspace_id, "q": q, "limit": limit, "cursor": cursor},
            timeout=timeout,
        ))

    async def batch(
        self,
        *,
        operations: Sequence[Mapping[str, Any]],
        atomic: bool | Omitted = OMITTED,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.BatchResults:
        """Up to 100 changes of decisions, nodes, edges and messages in one request.

        Batch-Size states the number of operations, and every ten cost one mutation. The operations run
        in order, each with the checks, the event and the audit entry of its own request. Put those of
        decisions, of workflows and of threads together: at most 20 may follow one of another kind. Each
        succeeds or fails alone, with a result of its own, unless atomic is set: then the first failure
        is the answer, names its operation, and nothing is stored. Scope: write. Least role of a session
        or service account: member. Rate bucket: mutation.
        """
        return await self._transport.call(models.BatchResults, Request(
            "POST",
            "/batch",
            query={"workspaceId": workspace_id},
            body={"atomic": atomic, "operations": operations},
            headers={"Idempotency-Key": new_key(idempotency_key), "Batch-Size": str(len(operations))},
            timeout=timeout,
        ))
