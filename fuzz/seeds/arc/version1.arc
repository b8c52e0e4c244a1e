filedesc://x.arc 0.0.0.0 20040101000000 text/plain 75
1 0 Alexa Internet
URL IP-address Archive-date Content-type Archive-length

http://a/ 1.2.3.4 20040101000000 text/html 50
HTTP/1.0 200 OK
Content-Type: text/html

<p>One
http://b/ 1.2.3.4 20040101000000 text/html 50
HTTP/1.0 200 OK
Content-Type: text/html

<p>Two
