filedesc://x.arc 0.0.0.0 20040101000000 text/plain 200 - - 0 x.arc 108
2 0 A
URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length

http://a/ 1.2.3.4 20040101000000 text/html 200 - - 9 x.arc 25
HTTP/1.0 200 OK

<p>One
