import {
  DEVICE_GRANT,
  deviceEndpoint,
  RESOURCE_METADATA,
  registrationEndpoint,
  scopes,
  TOKEN_RESOURCE,
  tokenEndpoint,
} from '@waymark/contracts';

/** The metadata of the MCP server and its authorization server (RFC 9728, RFC 8414), by path. */
export function authorizationServer(publicUrl: string, registration: boolean): Record<string, object> {
  const resource = {
    resource: publicUrl + TOKEN_RESOURCE,
    resource_name: 'Waymark',
    resource_documentation: `${publicUrl}/docs/mcp`,
    authorization_servers: [publicUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };
  return {
    '/.well-known/oauth-protected-resource': resource,
    [RESOURCE_METADATA]: resource,
    '/.well-known/oauth-authorization-server': {
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/authorize`,
      token_endpoint: publicUrl + tokenEndpoint.path,
      ...(registration && { registration_endpoint: publicUrl + registrationEndpoint.path }),
      device_authorization_endpoint: publicUrl + deviceEndpoint.path,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: scopes,
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    },
  };
}
