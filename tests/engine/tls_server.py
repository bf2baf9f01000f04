"""A server with a certificate (or without one) that answers every question as a database without any table would.

Usage: tls_server.py LOG [CERTIFICATE KEY]. Prints its port; what arrives is written to LOG, headers and all.
"""
import http.server
import ssl
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with open(sys.argv[1], "ab") as log:
            log.write(str(self.headers).encode() + body + b"\n")
        answer = b"name\ttype\nString\tString\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass  # a client that hangs up is what is tried here

    def get_request(self):
        connection, address = super().get_request()
        if len(sys.argv) > 3:
            connection.settimeout(20)
            connection = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address


if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
