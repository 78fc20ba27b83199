/** The client has disconnected, so that no response can be sent. */
export class ClientGone extends Error {}
