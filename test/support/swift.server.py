"""An object store that others wrote and that speaks the protocol of S3: OpenStack Swift, all of its servers in one process, with
the objects in memory. Says its port on standard output, and ends with its standard input.

Usage: swift.server.py DIRECTORY ACCOUNT:USER SECRET REGION
"""

import eventlet

eventlet.monkey_patch()

import logging
import os
import sys
from array import array

from eventlet import wsgi
from swift.common import constraints, ring, storage_policy, utils
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.wsgi import loadapp

directory, user, secret, region = sys.argv[1:]
account, name = user.split(":")


def written(file, text):
    path = os.path.join(directory, file)
    with open(path, "w") as opened:
        opened.write(text)
    return path


class Memory:
    """What the servers otherwise keep in memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def incr(self, key, delta=1, **_):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]

    def delete(self, key, **_):
        self.values.pop(key, None)


def serve(listener, app):
    log = logging.getLogger("swift")
    log.addHandler(logging.NullHandler())
    eventlet.spawn(wsgi.server, listener, app, log, protocol=SwiftHttpProtocol, capitalize_response_headers=False)


os.makedirs(os.path.join(directory, "disk"))
swift_conf = written("swift.conf", "[swift-hash]\nswift_hash_path_suffix = tests\n")
utils.SWIFT_CONF_FILE = storage_policy.SWIFT_CONF_FILE = swift_conf
constraints.reload_constraints()
storage_policy.reload_storage_policies()
utils.validate_hash_conf()

common = f"swift_dir = {directory}\ndevices = {directory}\nmount_check = false\nuse = egg:swift#"
for kind, egg in (("account", "account"), ("container", "container"), ("object", "mem_object")):
    listener = eventlet.listen(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    disk = {"id": 0, "region": 1, "zone": 1, "weight": 1.0, "device": "disk", "ip": "127.0.0.1", "port": port}
    disk.update(replication_ip="127.0.0.1", replication_port=port, meta="")
    ring.RingData([array("H", [0, 0])], [disk], 31).save(os.path.join(directory, f"{kind}.ring.gz"))
    serve(listener, loadapp(written(f"{kind}.conf", f"[app:main]\n{common}{egg}\n")))

proxy = loadapp(
    written(
        "proxy.conf",
        f"""[DEFAULT]
swift_dir = {directory}
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = {region}
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{name} = {secret} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
""",
    )
)
memory = Memory()
entrance = eventlet.listen(("127.0.0.1", 0))
serve(entrance, lambda environ, start: proxy({**environ, "swift.cache": memory}, start))
print(entrance.getsockname()[1], flush=True)
eventlet.tpool.execute(sys.stdin.read)
